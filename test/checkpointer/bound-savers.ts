import { randomUUID } from 'node:crypto';
import { MessageChannel } from 'node:worker_threads';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
} from '@langchain/langgraph-checkpoint';
import { unreachable } from '../../src/base/assert.js';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { PortChannel } from '../../src/pool/graphs/port-channel.js';
import { RunPort } from '../../src/pool/graphs/run-port.js';
import { RUN_SIGNALS_BYTES } from '../../src/wire/runs/run-signals.js';
import { startOf } from '../../src/services/runs/run-job.js';
import { Commit } from '../../src/store/store.js';
import type { Stores } from '../../src/store/stores.js';
import { keys } from '../../src/store/keys.js';
import type { ThreadRecord } from '../../src/store/threads/threads.js';
import { unpack } from '../../src/wire/codec.js';
import { WIRE_VERSION, type Durability, type ThreadJob, type ToWorker } from '../../src/wire/runs/messages.js';
import { EDIT_PREFIX } from '../../src/wire/runs/state.js';
import { OPTIMIZATIONS } from '../../src/domain/optimizations.js';
import { loadLibrary, type Library } from '../../workers/graph/library.js';
import { Outbox } from '../../workers/graph/outbox.js';
import { createSaver } from '../../workers/graph/saver.js';
import { Values } from '../../workers/graph/values.js';
import { Views } from '../../workers/graph/views.js';
import { warmThreads } from '../../workers/graph/warm.js';
import { WireJson } from '../../workers/graph/wire-json.js';

export const library: Promise<Library> = loadLibrary(
  new URL('../../workers/graph/packages.js', import.meta.url).href,
  OPTIMIZATIONS,
);

/**
 * A worker's saver and the front's end of its port, over the store itself: all that is between a graph and the disk.
 */
class Binding {
  readonly saver: BaseCheckpointSaver;
  readonly #outbox: Outbox;
  readonly #ended: Promise<void>;

  constructor(stores: Stores, found: Library, thread: ThreadRecord, changeId: string, durability: Durability) {
    const { port1, port2 } = new MessageChannel();
    this.#outbox = new Outbox(port2, 0);
    port2.on('message', (bytes: Uint8Array) => {
      const message = unpack<ToWorker>(bytes);
      switch (message.type) {
        case 'reply':
          this.#outbox.settleRequest(message.requestId, message.ok, message.ok ? message.value : message.error);
          break;
        case 'run.credit':
          this.#outbox.addCredit(message.bytes);
          break;
        case 'run.cancel':
          break;
        default:
          unreachable(message);
      }
    });
    this.#ended = new Promise((resolve, reject) => {
      const front = new RunPort(
        new PortChannel(port1, new SharedArrayBuffer(RUN_SIGNALS_BYTES)),
        stores,
        {
          caller: SERVER_CALLER,
          thread,
          tag: { runId: changeId, lease: 1 },
          alive: null,
          resumable: false,
          hasCommand: false,
          nullResume: null,
          namespaces: [],
          nextSeq: 0,
          framesSent: 0,
        },
        {
          onFrames: () => null,
          onHeadView: () => undefined,
          onEnd: () => {
            port2.removeAllListeners('message');
            port2.close();
            front.close();
            front.written.then(resolve, reject);
          },
        },
      );
    });
    const job: ThreadJob = {
      wireVersion: WIRE_VERSION,
      runId: changeId,
      threadId: thread.threadId,
      graphId: 'none',
      config: jsonBytes({}),
      context: null,
      user: jsonBytes({}),
      durability,
      ...startOf(stores, SERVER_CALLER, thread, null).state,
    };
    const json = new WireJson();
    const values = new Values(found, found.serde, json);
    this.saver = createSaver(found, {
      job,
      outbox: this.#outbox,
      values,
      views: new Views(this.#outbox, values, json),
    });
  }

  /** As a run ends. Resolves when all that was stored is on disk. */
  close(): Promise<void> {
    this.#outbox.send({
      type: 'run.ended',
      status: 'success',
      error: null,
      lastSeq: -1,
      result: jsonBytes({}),
      asks: false,
      refusal: null,
    });
    this.#outbox.close();
    return this.#ended;
  }
}

/**
 * `run`: a thread keeps its saver. `call`: each call has a saver of its own, which knows nothing but what is stored.
 */
export type Lifetime = 'run' | 'call';

/**
 * One checkpointer of many threads, as the library knows them: hands each call to a saver that is bound to its thread.
 * Threads are made by the first put. A config without a thread goes to any saver; a list of everything, to all.
 */
export class BoundSavers extends BaseCheckpointSaver {
  readonly #stores: Stores;
  readonly #library: Library;
  readonly #options: { lifetime: Lifetime; durability: Durability };
  readonly #bindings = new Map<string, Binding>();
  #threads = new Map<string, ThreadRecord>();

  constructor(stores: Stores, found: Library, options: { lifetime: Lifetime; durability: Durability }) {
    super(found.serde);
    this.#stores = stores;
    this.#library = found;
    this.#options = options;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    return this.#with(threadOf(config), (saver) => saver.getTuple(config));
  }

  override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const asked = threadOf(config);
    let left = options.limit ?? Infinity;
    for (const threadId of asked === undefined ? this.#threads.keys() : [asked]) {
      const found = await this.#with(threadId, async (saver) =>
        all(saver.list(config, { ...options, ...(left === Infinity ? {} : { limit: left }) })),
      );
      yield* found;
      left -= found.length;
    }
  }

  override put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    return this.#with(threadOf(config), (saver) => saver.put(config, checkpoint, metadata, newVersions));
  }

  override putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string, taskPath?: string): Promise<void> {
    return this.#with(threadOf(config), (saver) =>
      (saver as { putWrites(...given: unknown[]): Promise<void> }).putWrites(config, writes, taskId, taskPath),
    );
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.#bindings.get(threadId)?.close();
    this.#bindings.delete(threadId);
    const record = this.#threads.get(threadId);
    if (record === undefined) return;
    this.#threads.delete(threadId);
    const commit = new Commit();
    this.#stores.threads.remove(commit, record);
    await this.#stores.store.write(commit);
    await this.#stores.remover.removeNow(keys.leftover('thread', record.uid));
  }

  /** The same threads by savers that are made from now on. */
  as(lifetime: Lifetime): BoundSavers {
    const others = new BoundSavers(this.#stores, this.#library, { ...this.#options, lifetime });
    others.#threads = this.#threads;
    return others;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#bindings.values()].map((binding) => binding.close()));
    this.#bindings.clear();
  }

  async #with<T>(asked: string | undefined, work: (saver: BaseCheckpointSaver) => Promise<T>): Promise<T> {
    const threadId = asked ?? 'any';
    if (this.#options.lifetime === 'run') {
      let binding = this.#bindings.get(threadId);
      if (binding === undefined) this.#bindings.set(threadId, (binding = this.#bind(await this.#thread(threadId))));
      return work(binding.saver);
    }
    const binding = this.#bind(await this.#thread(threadId));
    warmThreads.forget(threadId);
    try {
      return await work(binding.saver);
    } finally {
      await binding.close();
    }
  }

  #bind(thread: ThreadRecord): Binding {
    return new Binding(this.#stores, this.#library, thread, `${EDIT_PREFIX}${randomUUID()}`, this.#options.durability);
  }

  async #thread(threadId: string): Promise<ThreadRecord> {
    const known = this.#threads.get(threadId);
    if (known !== undefined) return known;
    const record: ThreadRecord = {
      threadId,
      uid: randomUUID(),
      createdAtMs: 1,
      updatedAtMs: 1,
      stateUpdatedAtMs: 1,
      status: 'idle',
      metadata: jsonBytes({}),
      config: jsonBytes({}),
      graphId: null,
      unfinished: false,
      failure: null,
      nextSeq: 0,
      temporary: false,
    };
    this.#threads.set(threadId, record);
    const commit = new Commit();
    this.#stores.threads.put(commit, record, undefined);
    await this.#stores.store.write(commit);
    return record;
  }
}

async function all<T>(found: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of found) list.push(one);
  return list;
}

function threadOf(config: RunnableConfig): string | undefined {
  return config.configurable?.['thread_id'] as string | undefined;
}
