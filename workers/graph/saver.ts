import type {
  BaseCheckpointSaver,
  ChannelVersions,
  Checkpoint,
  CheckpointListOptions,
  CheckpointMetadata,
  CheckpointPendingWrite,
  CheckpointTuple,
  PendingWrite,
} from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { boundedError, fail } from '../../src/base/errors.js';
import { isObject, setOwn } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { boundedText } from '../../src/base/thrown.js';
import { packVersions, unpackVersions } from '../../src/wire/runs/channel-versions.js';
import type { FromWorker, ThreadJob } from '../../src/wire/runs/messages.js';
import { unpackContentBlock } from '../../src/wire/runs/content-block.js';
import {
  checkpointMetadata,
  hashKey,
  packBody,
  packMetadata,
  unpackBody,
  unpackMetadata,
  type CheckpointBody,
  type Ref,
  type SavedCheckpoint,
  type WriteBody,
} from '../../src/wire/runs/state.js';
import { hasVersion, KnownCheckpoints } from './known-checkpoints.js';
import { oncePerLibrary, type Library } from './library.js';
import type { Outbox } from './outbox.js';
import { RunMetadata } from './run-metadata.js';
import type { Values } from './values.js';
import type { Views } from './views.js';
import { warmThreads } from './warm.js';

/** Content and known hashes of one thread, kept for the duration of a run. */
interface Session {
  content: Map<string, Uint8Array>;
  known: Set<string>;
}

const LIST_PAGE = 20;
/** Checkpoint version from which the tasks' sends are stored as a channel's value. */
const SENDS_ARE_VALUES = 4;

/** Channel in which the library stores `{name, message}` of a task's error. */
const ERROR = '__error__';

/** The library stores the full error text, and every list of states contains it, so shorten it. */
function boundError(value: unknown): unknown {
  if (!isObject(value)) return typeof value === 'string' ? boundedText(value, LIMITS.errorTextCharsMax) : value;
  const { name, message } = value;
  return typeof name === 'string' && typeof message === 'string'
    ? { ...value, ...boundedError({ name, message }) }
    : value;
}

/** The parts of a run that its saver works with. */
interface RunContext {
  job: ThreadJob;
  outbox: Outbox;
  values: Values;
  views: Views;
}

type CheckpointMessage =
  | Omit<Extract<FromWorker, { type: 'checkpoint.put' }>, 'requestId'>
  | Omit<Extract<FromWorker, { type: 'checkpoint.writes' }>, 'requestId'>;

type SaverClass = new (context: RunContext) => BaseCheckpointSaver;

/**
 * A checkpointer that works through the run's port. `put` and `putWrites` resolve when the message is posted;
 * with durability `sync`, when it is on disk. The job already contains the newest checkpoint, so reading it
 * costs nothing.
 */
export function createSaver(library: Library, context: RunContext): BaseCheckpointSaver {
  return new (saverClass(library))(context);
}

const saverClass = oncePerLibrary((library: Library): SaverClass => {
  const {
    BaseCheckpointSaver: Base,
    TASKS,
    WRITES_IDX_MAP,
    compareWritesSortKeys,
    maxChannelVersion,
    writesSortKey,
  } = library.checkpoint;

  return class RunSaver extends Base {
    readonly #job: ThreadJob;
    readonly #outbox: Outbox;
    readonly #values: Values;
    readonly #views: Views;
    readonly #session: Session;
    readonly #namespaces: Set<string>;
    readonly #known = new KnownCheckpoints();
    readonly #runMetadata = new RunMetadata();
    /** True if the root has a newer checkpoint than the job's head. */
    #rootPut = false;
    /** True if more is stored in the root than the job's head. */
    #rootChanged = false;

    constructor({ job, outbox, values, views }: RunContext) {
      super(library.serde);
      this.#job = job;
      this.#outbox = outbox;
      this.#values = values;
      this.#views = views;
      this.#session = (job.warm ? warmThreads.session(job) : null) ?? { content: new Map(), known: new Set() };
      this.#addContent(job.content);
      views.known = this.#session.known;
      this.#namespaces = new Set(job.namespaces);
    }

    override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
      if (config.configurable?.['thread_id'] === undefined) return undefined;
      const { ns, id } = this.#locate(config);
      if (ns === '' && !this.#rootChanged && (id === null || id === this.#job.head?.id)) {
        return this.#job.head === null ? undefined : this.#toTuple(this.#job.head);
      }
      if (id === null && !this.#namespaces.has(ns)) return undefined;
      const { saved, content } = await this.#outbox.request({ type: 'checkpoint.get', ns, id });
      this.#addContent(content);
      return saved === null ? undefined : this.#toTuple(saved);
    }

    /**
     * Newest first. Without a namespace, lists all namespaces one after the other. Without a thread id, uses
     * the thread of the port.
     */
    override async *list(
      config: RunnableConfig,
      { before, limit = Infinity, filter = {} }: CheckpointListOptions = {},
    ): AsyncGenerator<CheckpointTuple> {
      const { ns: requested, id } = this.#locate({
        configurable: { thread_id: this.#job.threadId, ...defined(config.configurable) },
      });
      const beforeId = (before?.configurable?.['checkpoint_id'] as string | undefined) ?? null;
      let left = limit;
      for (const ns of config.configurable?.['checkpoint_ns'] === undefined ? [...this.#namespaces] : [requested]) {
        for await (const saved of this.#listSaved(ns, id, beforeId)) {
          if (left <= 0) return;
          const tuple = await this.#toTuple(saved);
          const metadata = (tuple.metadata ?? {}) as Record<string, unknown>;
          if (!Object.entries(filter).every(([key, wanted]) => metadata[key] === wanted)) continue;
          left -= 1;
          yield tuple;
        }
      }
    }

    async *#listSaved(ns: string, id: string | null, before: string | null): AsyncGenerator<SavedCheckpoint> {
      if (id !== null && before === null) {
        const { saved, content } = await this.#outbox.request({ type: 'checkpoint.get', ns, id });
        this.#addContent(content);
        if (saved !== null) yield saved;
        return;
      }
      for (let from = before; ;) {
        const page = await this.#outbox.request({ type: 'checkpoint.list', ns, before: from, limit: LIST_PAGE });
        // Only the store can order two checkpoints.
        yield* id === null ? page : page.filter((saved) => saved.id === id);
        if (page.length < LIST_PAGE) return;
        from = page.at(-1)!.id;
      }
    }

    override async put(
      config: RunnableConfig,
      checkpoint: Checkpoint,
      metadata: CheckpointMetadata,
      newVersions?: ChannelVersions,
    ): Promise<RunnableConfig> {
      const { ns, id: parentId } = this.#locate(config);
      let refs = new Map<string, Ref>();
      let baseRef!: Ref;
      const base = this.#runMetadata.metadataOf(config);
      const made = this.#values.fillParcel(this.#session.known, (parcel) => {
        baseRef = this.#values.encode(base, parcel);
        refs = this.#known.refsFor(ns, parentId, checkpoint, (value) => this.#values.encode(value, parcel));
      });
      const parcel = made instanceof Promise ? await made : made;
      const doubtful =
        parentId === null && newVersions !== undefined
          ? this.#known.unconfirmedChannels(ns, checkpoint, newVersions)
          : null;
      if (doubtful !== null && doubtful.size > 0) await this.#dropUnstored(ns, doubtful, checkpoint, refs);
      const body: CheckpointBody = {
        v: checkpoint.v,
        ts: checkpoint.ts,
        parentId,
        versions: packVersions({ channels: checkpoint.channel_versions, seen: checkpoint.versions_seen }),
        seen: null,
        metadata: packMetadata(metadata as Record<string, unknown>),
        base: baseRef,
        channels: [...refs],
      };
      this.#known.set(ns, { id: checkpoint.id, refs, versions: { ...checkpoint.channel_versions } });
      this.#namespaces.add(ns);
      if (ns === '') this.#rootPut = this.#rootChanged = true;
      const bytes = packBody(body);
      // From here on, nothing may be awaited: content that counts as stored must be on its way.
      parcel.markSent();
      const view = this.#views.addStored(ns, checkpoint.id, checkpoint.channel_values, refs);
      const message = {
        type: 'checkpoint.put',
        ns,
        id: checkpoint.id,
        body: bytes,
        view,
        uses: parcel.uses,
        content: parcel.content,
      } as const;
      if (ns === '') warmThreads.put(this.#job, checkpoint, bytes, this.#session);
      await this.#send(message);
      return { configurable: { thread_id: this.#job.threadId, checkpoint_ns: ns, checkpoint_id: checkpoint.id } };
    }

    override async putWrites(
      config: RunnableConfig,
      writes: PendingWrite[],
      taskId: string,
      taskPath = '',
    ): Promise<void> {
      const { ns, id } = this.#locate(config);
      if (id === null) throw new Error('Failed to put writes: the config has no checkpoint_id.');
      if (ns === '') this.#rootChanged = true;
      let bodies: WriteBody[] = [];
      const made = this.#values.fillParcel(this.#session.known, (parcel) => {
        bodies = writes.map(([channel, value], at) => ({
          taskId,
          taskPath,
          idx: (WRITES_IDX_MAP as Record<string, number>)[channel] ?? at,
          channel,
          ref: this.#values.encode(channel === ERROR ? boundError(value) : value, parcel),
        }));
      });
      const parcel = made instanceof Promise ? await made : made;
      parcel.markSent();
      const message = {
        type: 'checkpoint.writes',
        ns,
        id,
        writes: bodies,
        uses: parcel.uses,
        content: parcel.content,
      } as const;
      await this.#send(message);
    }

    /**
     * Resolves when the message is posted, or with durability `sync` when it is on disk. Waits while the disk
     * is behind.
     */
    async #send(message: CheckpointMessage): Promise<void> {
      if (this.#job.durability === 'sync') {
        await this.#outbox.request(message);
        return;
      }
      this.#outbox.send({ ...message, requestId: null });
      if (this.#outbox.isFull) await this.#outbox.waitForCredit();
    }

    /**
     * The caller assumes that channels missing in `newVersions` are already stored. A first checkpoint has no
     * parent that could have them, so all checkpoints are searched: a copy of another checkpoint finds them
     * there. Values that are stored nowhere are dropped, as the stock test suite for `put` expects.
     */
    async #dropUnstored(
      ns: string,
      doubtful: Set<string>,
      { channel_versions: versions }: Checkpoint,
      refs: Map<string, Ref>,
    ): Promise<void> {
      for await (const saved of this.#listSaved(ns, null, null)) {
        const body = unpackBody(saved.body);
        const found = { refs: new Map(body.channels), versions: unpackVersions(body).channels };
        for (const name of doubtful) if (hasVersion(found, name, versions[name])) doubtful.delete(name);
        if (doubtful.size === 0) return;
      }
      for (const name of doubtful) refs.delete(name);
    }

    override async deleteThread(threadId: string): Promise<void> {
      throw fail('FOREIGN_THREAD', { asked: threadId });
    }

    /** The port belongs to one thread. A node that requests another thread gets an error (P8). */
    #locate(config: RunnableConfig): { ns: string; id: string | null } {
      const requested = config.configurable?.['thread_id'] as string | undefined;
      if (requested !== this.#job.threadId) throw fail('FOREIGN_THREAD', { asked: String(requested) });
      return {
        ns: (config.configurable?.['checkpoint_ns'] as string | undefined) ?? '',
        id: (config.configurable?.['checkpoint_id'] as string | undefined) ?? null,
      };
    }

    #addContent(packed: Uint8Array): void {
      for (const [key, content] of unpackContentBlock(packed)) this.#session.content.set(key, content);
    }

    async #toTuple(saved: SavedCheckpoint): Promise<CheckpointTuple> {
      const body = unpackBody(saved.body);
      const { channels: versions, seen } = unpackVersions(body);
      const refs = body.channels.map(([, ref]) => ref);
      const otherRefs = [body.base, ...saved.writes.map((write) => write.ref)];
      const remembered = saved.ns === '' ? warmThreads.values(this.#job, saved.id, body, this.#values) : null;
      const needed = await this.#fetch(remembered === null ? [...refs, ...otherRefs] : otherRefs);
      // The store has this content, because it has the checkpoint.
      for (const key of needed) this.#session.known.add(key);
      const channelValues = remembered ?? {};
      if (remembered === null) {
        for (const [name, ref] of body.channels)
          setOwn(channelValues, name, await this.#values.decode(ref, this.#session.content));
      }
      const known = { id: saved.id, refs: new Map(body.channels), versions };
      this.#known.set(saved.ns, known);
      if (saved.ns === '' && saved.id === this.#job.head?.id && !this.#job.headShown && !this.#rootPut)
        this.#views.addLoaded(saved.id, channelValues, known.refs);
      const tuple: CheckpointTuple = {
        config: { configurable: { thread_id: this.#job.threadId, checkpoint_ns: saved.ns, checkpoint_id: saved.id } },
        checkpoint: {
          v: body.v,
          id: saved.id,
          ts: body.ts,
          channel_values: channelValues,
          channel_versions: { ...versions },
          versions_seen: seen,
        },
        metadata: checkpointMetadata(
          (await this.#values.decode(body.base, this.#session.content)) as object,
          unpackMetadata(body.metadata),
          { runId: saved.runId, threadId: this.#job.threadId },
        ) as unknown as CheckpointMetadata,
        pendingWrites: await this.#pendingWrites(saved.writes),
      };
      if (body.parentId !== null) {
        tuple.parentConfig = {
          configurable: { thread_id: this.#job.threadId, checkpoint_ns: saved.ns, checkpoint_id: body.parentId },
        };
        if (body.v < SENDS_ARE_VALUES) await this.#addSends(tuple.checkpoint, saved.ns, body.parentId);
      }
      return tuple;
    }

    /**
     * In old versions, the parent's tasks stored their sends as writes. The library expects them as a channel's
     * value.
     */
    async #addSends(checkpoint: Checkpoint, ns: string, parentId: string): Promise<void> {
      const { saved, content } = await this.#outbox.request({ type: 'checkpoint.get', ns, id: parentId });
      this.#addContent(content);
      const writes = (saved?.writes ?? []).filter(({ channel }) => channel === TASKS);
      await this.#fetch(writes.map(({ ref }) => ref));
      const versions = Object.values(checkpoint.channel_versions);
      checkpoint.channel_values = {
        ...checkpoint.channel_values,
        [TASKS]: (await this.#pendingWrites(writes)).map(([, , value]) => value),
      };
      checkpoint.channel_versions[TASKS] =
        versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
    }

    /** Sorted in the order in which live execution applies them (langgraph-checkpoint, writesSortKey). */
    async #pendingWrites(writes: readonly WriteBody[]): Promise<CheckpointPendingWrite[]> {
      const sorted = [...writes].sort((a, b) =>
        compareWritesSortKeys(writesSortKey(a.taskPath, a.taskId, a.idx), writesSortKey(b.taskPath, b.taskId, b.idx)),
      );
      return Promise.all(
        sorted.map(async (write): Promise<CheckpointPendingWrite> => [
          write.taskId,
          write.channel,
          await this.#values.decode(write.ref, this.#session.content),
        ]),
      );
    }

    /** Loads the content of the references that is not here yet. Returns the keys of all of it. */
    async #fetch(refs: readonly Ref[]): Promise<ReadonlySet<string>> {
      for (;;) {
        const seen = new Set<string>();
        const missing = this.#values.missing(refs, this.#session.content, seen);
        if (missing.length === 0) return seen;
        const page = missing.slice(0, LIMITS.itemsPerRequestMax);
        const found = await this.#outbox.request({ type: 'content.get', hashes: page });
        for (const [at, bytes] of found.entries()) {
          if (bytes === null) throw fail('STORE_DAMAGED', { key: `content ${hashKey(page[at]!)}` });
          this.#session.content.set(hashKey(page[at]!), bytes);
        }
      }
    }
  } as unknown as SaverClass;
});

function defined(given: object = {}): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
