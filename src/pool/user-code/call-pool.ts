import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { workersFile } from '../../base/places.js';
import { userCodeEnv } from '../../domain/secret-variables.js';
import type { AskReport, AskTask, FromAskThread } from '../../wire/user-code/calls.js';
import type { Vitals } from '../../wire/vitals.js';
import { Beat, Watchdog } from '../graphs/watchdog.js';

interface Ask {
  serial: number;
}

/** How one kind of thread is run, and how it is told when it fails. */
export interface AskPoolOptions<A extends Ask, D> {
  /** The worker's entry, from the folder of the workers: `auth/serve.js`. */
  entry: string;
  data: D;
  threads: number;
  heapMb: number;
  /** A thread whose loop stands still for so long is ended. */
  silentMs: number;
  /** An ask waits so long for its answer. */
  askMs(ask: A): number;
  /** And so long for a thread that is ready, which then does not count; null: it counts. */
  waitMs: number | null;
  /** Asks under way and waiting; more are refused. */
  asksMax: number;
  /** Threads start with the first ask and end after so long without one; null: they are there from the start. */
  idleMs: number | null;
  /** What the log says of a lost thread: `the auth handler lost its thread`. */
  name: string;
  /** What an ask is about, for the log. */
  about(ask: A): string;
  errors: {
    overloaded(): Error;
    silent(waitedMs: number): Error;
    /** The ask whose code the thread was in. */
    ended(reason: string): Error;
    /** Lost with two threads, and no one knows whose code it was. */
    endedTwice(reason: string): Error;
  };
}

/** An ask, and who waits for it. */
interface Held<A, R> {
  ask: A;
  text: string;
  resolve: (answer: R) => void;
  reject: (error: Error) => void;
  /** When it was asked; when it was handed to a thread, where waiting for one does not count. */
  sinceMs: number;
  tries: number;
  /** Its end of a conversation, until it is handed over. */
  port: MessagePort | null;
}

interface AskThread<A, R> {
  readonly piscina: Piscina<AskTask, void>;
  readonly port: MessagePort;
  readonly beat: Beat;
  readonly turn: Int32Array;
  readonly held: Map<number, Held<A, R>>;
  ready: boolean;
  lost: boolean;
  readonly loaded: Promise<AskReport>;
}

/** Threads with other code or data, loaded and not in use yet. */
export interface PreparedThreads {
  report: AskReport;
  use(): Promise<void>;
  drop(): Promise<void>;
}

/** One thread lost with it may be chance; a second one says that it was this ask. */
const TRIES_MAX = 2;

/**
 * Threads that answer asks with code of the user's. One that stands still is ended; what it held is asked again, except the
 * ask whose code it was in. Code that never answers costs its own ask.
 */
export class AskPool<A extends Ask, R extends Ask, D extends { env: Record<string, string> }> {
  readonly #options: Omit<AskPoolOptions<A, D>, 'data'>;
  #data: D;
  readonly #log: Logger;
  #threads: AskThread<A, R>[];
  readonly #waiting: Held<A, R>[] = [];
  readonly #watchdog: Watchdog<AskThread<A, R>>;
  #serial = 0;
  /** Ports that are open: their threads are not idle. */
  #conversations = 0;
  #usedAtMs = performance.now();
  #closed = false;

  constructor({ data, ...options }: AskPoolOptions<A, D>, log: Logger) {
    this.#options = options;
    this.#data = data;
    this.#log = log;
    this.#threads = options.idleMs === null ? this.#openAll(data) : [];
    this.#watchdog = new Watchdog({
      workers: () => this.#threads,
      watchdogMs: options.silentMs,
      end: (thread, silentForMs) => this.#lose(thread, `it stood still for ${Math.round(silentForMs)} ms`),
      tick: () => this.#tick(),
    });
  }

  /** Asks that have no answer yet. */
  get asks(): number {
    return this.#threads.reduce((sum, { held }) => sum + held.size, this.#waiting.length);
  }

  /** Ports that are open. */
  get conversations(): number {
    return this.#conversations;
  }

  get vitals(): Vitals[] {
    return this.#threads.map(({ beat }) => beat.vitals);
  }

  /** Resolves when every thread has loaded; the first problem, if there is one. */
  async load(): Promise<AskReport> {
    return firstProblem(this.#threads);
  }

  /** Loads threads with other data: `use` takes them for what is asked from now on, `drop` forgets them. */
  async prepare(data: D): Promise<PreparedThreads> {
    const next = this.#openAll(data);
    return {
      report: await firstProblem(next),
      use: () => this.#exchange(next, data),
      drop: async () => {
        await Promise.all(next.map(close));
      },
    };
  }

  /** Other data for what is asked from now on; threads that are there make place for new ones with the next ask. */
  async use(data: D): Promise<void> {
    await this.#exchange([], data);
  }

  /** Throws what `errors` says. */
  ask(wanted: Omit<A, 'serial'>): Promise<R> {
    return this.#ask(wanted, null);
  }

  /**
   * The same with a port to the code that answers, for what does not fit into one answer. It goes on after the answer; who
   * has it closes it, and it closes when the thread ends. What has a port is not asked again.
   */
  converse(wanted: Omit<A, 'serial'>): { answer: Promise<R>; port: MessagePort } {
    const { port1, port2 } = new MessageChannel();
    this.#conversations += 1;
    port1.once('close', () => {
      this.#conversations -= 1;
    });
    const answer = this.#ask(wanted, port2);
    answer.catch(() => port2.close());
    return { answer, port: port1 };
  }

  #ask(wanted: Omit<A, 'serial'>, port: MessagePort | null): Promise<R> {
    if (this.#closed) return Promise.reject(fail('SHUTTING_DOWN', {}));
    if (this.asks >= this.#options.asksMax) return Promise.reject(this.#options.errors.overloaded());
    this.#serial = (this.#serial % 0x7fff_ffff) + 1;
    const ask = { serial: this.#serial, ...wanted } as A;
    return new Promise((resolve, reject) => {
      this.#place({ ask, text: JSON.stringify(ask), resolve, reject, sinceMs: performance.now(), tries: 0, port });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watchdog.close();
    for (const thread of this.#threads)
      for (const { reject } of thread.held.values()) reject(fail('SHUTTING_DOWN', {}));
    for (const { reject } of this.#waiting) reject(fail('SHUTTING_DOWN', {}));
    await Promise.all(this.#threads.map(close));
  }

  #openAll(data: D): AskThread<A, R>[] {
    return Array.from({ length: this.#options.threads }, () => this.#open(data));
  }

  #open(data: D): AskThread<A, R> {
    const { port1, port2 } = new MessageChannel();
    const beat = new Beat();
    const turn = new SharedArrayBuffer(4);
    const piscina = new Piscina<AskTask, void>({
      filename: workersFile(this.#options.entry),
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Infinity,
      // Synchronous atomics would park the thread, which answers by its port.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb },
      env: userCodeEnv(data.env),
      workerData: data,
    });
    let report!: (one: AskReport) => void;
    const thread: AskThread<A, R> = {
      piscina,
      port: port1,
      beat,
      turn: new Int32Array(turn),
      held: new Map(),
      ready: false,
      lost: false,
      loaded: new Promise((resolve) => {
        report = resolve;
      }),
    };
    port1.on('message', (message: FromAskThread) => {
      if ('report' in message) {
        thread.ready = message.report.ok;
        report(message.report);
        if (thread.ready) this.#serveWaiting();
        else if (!message.report.ok) this.#lose(thread, message.report.reason);
      } else for (const text of message.answers) this.#answered(thread, JSON.parse(text) as R);
    });
    piscina.on('error', (error: Error) => this.#lose(thread, error.message));
    piscina.run({ port: port2, beat: beat.shared, turn }, { transferList: [port2] }).then(
      () => undefined,
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        report({ ok: false, reason, stack: error instanceof Error ? (error.stack ?? '') : '' });
        this.#lose(thread, reason);
      },
    );
    return thread;
  }

  async #exchange(next: AskThread<A, R>[], data: D): Promise<void> {
    const before = this.#threads;
    this.#threads = next;
    this.#data = data;
    for (const thread of before) {
      // What it still holds is asked again: the answer of code that was replaced counts no more.
      thread.lost = true;
      this.#askAgain([...thread.held.values()].map(blameless), 'its code was replaced');
      await close(thread);
    }
  }

  #answered(thread: AskThread<A, R>, answer: R): void {
    const held = thread.held.get(answer.serial);
    thread.held.delete(answer.serial);
    held?.resolve(answer);
  }

  /** To the thread with the fewest; while none can take it, it waits. */
  #place(held: Held<A, R>): void {
    this.#usedAtMs = performance.now();
    if (this.#threads.length === 0) this.#threads = this.#openAll(this.#data);
    let best: AskThread<A, R> | null = null;
    for (const thread of this.#threads) {
      if (!thread.ready || thread.lost || thread.beat.silent) continue;
      if (best === null || thread.held.size < best.held.size) best = thread;
    }
    if (best === null) {
      this.#waiting.push(held);
      return;
    }
    held.tries += 1;
    if (this.#options.waitMs !== null) held.sinceMs = performance.now();
    best.held.set(held.ask.serial, held);
    if (held.port === null) best.port.postMessage(held.text);
    else best.port.postMessage({ text: held.text, port: held.port }, [held.port]);
  }

  #serveWaiting(): void {
    for (const held of this.#waiting.splice(0)) this.#place(held);
  }

  #askAgain(all: readonly Held<A, R>[], reason: string): void {
    for (const held of all) {
      if (held.port !== null) held.reject(this.#options.errors.ended(reason));
      else if (held.tries < TRIES_MAX) this.#place(held);
      else held.reject(this.#options.errors.endedTwice(reason));
    }
  }

  #lose(thread: AskThread<A, R>, reason: string): void {
    if (thread.lost || this.#closed) return;
    thread.lost = true;
    const culprit = thread.held.get(Atomics.load(thread.turn, 0));
    this.#log.error(
      {
        reason,
        requests: thread.held.size,
        during: culprit === undefined ? undefined : this.#options.about(culprit.ask),
      },
      `${this.#options.name} lost its thread`,
    );
    const others = [...thread.held.values()].filter((held) => held !== culprit);
    thread.held.clear();
    culprit?.reject(this.#options.errors.ended(reason));
    close(thread).catch(() => undefined);
    if (thread.ready) this.#replace(thread);
    // What cannot load would be tried without end.
    else setTimeout(() => this.#replace(thread), LIMITS.workerReopenMs).unref();
    this.#askAgain(culprit === undefined ? others : others.map(blameless), reason);
  }

  #replace(thread: AskThread<A, R>): void {
    const at = this.#threads.indexOf(thread);
    if (at !== -1 && !this.#closed) this.#threads[at] = this.#open(this.#data);
  }

  #tick(): void {
    const { idleMs, errors } = this.#options;
    const now = performance.now();
    for (const thread of this.#threads) {
      for (const [serial, held] of thread.held) {
        const askMs = this.#options.askMs(held.ask);
        if (held.sinceMs > now - askMs) continue;
        thread.held.delete(serial);
        held.reject(errors.silent(askMs));
      }
    }
    for (const held of this.#waiting.splice(0)) {
      const waitMs = this.#options.waitMs ?? this.#options.askMs(held.ask);
      if (held.sinceMs > now - waitMs) this.#place(held);
      else held.reject(errors.silent(waitMs));
    }
    const isIdle =
      idleMs !== null &&
      now - this.#usedAtMs > idleMs &&
      this.#conversations === 0 &&
      this.#waiting.length === 0 &&
      this.#threads.every(({ held }) => held.size === 0);
    if (!isIdle) return;
    for (const thread of this.#threads.splice(0)) {
      thread.lost = true;
      close(thread).catch(() => undefined);
    }
  }
}

/** It is known that the thread was not lost by it. */
function blameless<H extends { tries: number }>(held: H): H {
  held.tries -= 1;
  return held;
}

async function firstProblem(threads: readonly { loaded: Promise<AskReport> }[]): Promise<AskReport> {
  const reports = await Promise.all(threads.map(({ loaded }) => loaded));
  return reports.find(({ ok }) => !ok) ?? { ok: true };
}

async function close({ port, piscina }: { port: MessagePort; piscina: Piscina<AskTask, void> }): Promise<void> {
  port.close();
  await piscina.destroy();
}
