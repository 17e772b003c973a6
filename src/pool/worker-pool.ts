import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';

type PiscinaOptions = NonNullable<ConstructorParameters<typeof Piscina>[0]>;

/**
 * A Piscina that never ends a thread while it loads its entry file. Piscina loads it with `require`, and Node 20 aborts
 * the whole process when a thread ends in the middle of that ("v8::Module::IsGraphAsync"). It describes each thread to
 * the load balancer once.
 */
export class WorkerPool<Task, Result> extends Piscina<Task, Result> {
  readonly #loaded = new WeakSet<Worker>();

  constructor(options: PiscinaOptions) {
    super(options);
    // Piscina announces the first threads before they have loaded the file, and all others after it.
    const first = new Set(this.threads);
    for (const thread of first) void whenLoaded(thread).then(() => this.#loaded.add(thread));
    this.on('workerCreate', (created: { id: number }) => {
      keepDescription(created);
      const { id } = created;
      const thread = this.threads.find(({ threadId }) => threadId === id);
      if (thread !== undefined && !first.has(thread)) this.#loaded.add(thread);
    });
  }

  override async destroy(): Promise<void> {
    await Promise.all(this.threads.filter((thread) => !this.#loaded.has(thread)).map(whenLoaded));
    await super.destroy();
  }
}

/**
 * Piscina makes the description of each thread anew for each task, an object of getters. V8 makes hidden classes for
 * every such object: 3 µs for each thread and task. The getters read the thread's state, so one object is enough. It
 * refers to the object that Piscina takes it from by a symbol. Known to fit Piscina 5.3.
 */
function keepDescription(description: object): void {
  for (const symbol of Object.getOwnPropertySymbols(description)) {
    const thread = (description as Record<symbol, unknown>)[symbol];
    if (typeof thread === 'object' && thread !== null && 'interface' in thread)
      Object.defineProperty(thread, 'interface', { value: description });
  }
}

/** Resolves when the thread sends its first message, which says that it is ready, or has ended. */
function whenLoaded(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    thread.once('message', () => resolve());
    thread.once('exit', () => resolve());
  });
}
