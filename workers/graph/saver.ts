import type { BaseCheckpointSaver, Checkpoint, CheckpointListOptions, CheckpointMetadata, CheckpointPendingWrite, CheckpointTuple, PendingWrite } from '@langchain/langgraph-checkpoint';
import type { RunnableConfig } from '@langchain/core/runnables';
import { fail } from '../../src/base/errors.js';
import { jsonBytes, parseJson } from '../../src/base/json.js';
import { pack, unpack } from '../../src/wire/codec.js';
import type { RunJob } from '../../src/wire/messages.js';
import { hashKey, type CheckpointBody, type NewContent, type Ref, type SavedCheckpoint, type WriteBody } from '../../src/wire/state.js';
import type { Library } from './library.js';
import type { Outbox } from './outbox.js';
import type { Values } from './values.js';
import type { Views } from './views.js';
import { warm } from './warm.js';

/** What is known of a checkpoint in this run: where its channels' values are, and under which versions. */
interface Known {
  id: string;
  refs: Map<string, Ref>;
  versions: Record<string, unknown>;
}

/** Content and known hashes of one thread, for the length of a run. */
interface Session {
  content: Map<string, Uint8Array>;
  known: Set<string>;
}

const LIST_PAGE = 20;

/** Keys of the run's config that never reach checkpoint metadata (agent-server.md, 9.2). */
function keptInMetadata(key: string): boolean {
  return !key.startsWith('__') && !key.startsWith('langgraph_auth_') && key !== 'graph_auth_user' && key !== 'langgraph_request_id';
}

/**
 * A checkpointer that speaks through the run's port. `put` and `putWrites` resolve when posted, with durability `sync` when
 * on disk; the head checkpoint came with the job and costs nothing.
 */
export function createSaver(library: Library, job: RunJob, outbox: Outbox, values: Values, views: Views): BaseCheckpointSaver {
  const { BaseCheckpointSaver: Base, WRITES_IDX_MAP, compareWritesSortKeys, writesSortKey } = library.checkpoint;
  const session: Session = warm.session(job) ?? { content: new Map(), known: new Set() };
  for (const [hash, bytes] of job.content) session.content.set(hashKey(hash), bytes);
  const namespaces = new Set(job.namespaces);
  const heads = new Map<string, Known>();
  let rootPut = false;

  class RunSaver extends Base {
    override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
      const { ns, id } = this.#address(config);
      if (ns === '' && !rootPut && (id === null || id === job.head?.id)) {
        return job.head === null ? undefined : this.#tuple(job.head);
      }
      if (id === null && !namespaces.has(ns)) return undefined;
      const { saved, content } = await outbox.ask({ type: 'checkpoint.get', ns, id });
      this.#learn(content);
      return saved === null ? undefined : this.#tuple(saved);
    }

    override async *list(config: RunnableConfig, options?: CheckpointListOptions): AsyncGenerator<CheckpointTuple> {
      const { ns, id } = this.#address(config);
      let before = (options?.before?.configurable?.['checkpoint_id'] as string | undefined) ?? null;
      let left = options?.limit ?? Infinity;
      while (left > 0) {
        const page = await outbox.ask({ type: 'checkpoint.list', ns, before, limit: LIST_PAGE });
        for (const saved of page) {
          before = saved.id;
          if (id !== null && saved.id !== id) continue;
          const tuple = await this.#tuple(saved);
          const metadata = (tuple.metadata ?? {}) as Record<string, unknown>;
          if (options?.filter && !Object.entries(options.filter).every(([key, wanted]) => metadata[key] === wanted)) continue;
          yield tuple;
          if (--left <= 0) return;
        }
        if (page.length < LIST_PAGE) return;
      }
    }

    override async put(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata): Promise<RunnableConfig> {
      const { ns, id: parentId } = this.#address(config);
      const base = heads.get(ns);
      const parent = base !== undefined && base.id === parentId ? base : null;
      let refs = new Map<string, Ref>();
      const made = values.parcel(session.known, (parcel) => {
        refs = new Map();
        for (const [name, value] of Object.entries(checkpoint.channel_values)) {
          const unchanged = parent !== null && parent.versions[name] !== undefined && parent.versions[name] === checkpoint.channel_versions[name] ? parent.refs.get(name) : undefined;
          refs.set(name, unchanged ?? values.encode(value, parcel));
        }
      });
      const parcel = made instanceof Promise ? await made : made;
      parcel.sent();
      const body: CheckpointBody = {
        v: checkpoint.v,
        ts: checkpoint.ts,
        parentId,
        versions: jsonBytes(checkpoint.channel_versions),
        seen: jsonBytes(checkpoint.versions_seen),
        metadata: jsonBytes({ ...runMetadata(config), ...metadata }),
        channels: [...refs],
      };
      heads.set(ns, { id: checkpoint.id, refs, versions: { ...checkpoint.channel_versions } });
      namespaces.add(ns);
      if (ns === '') rootPut = true;
      const bytes = pack(body);
      const view = views.stored(ns, checkpoint.id, checkpoint.channel_values, refs);
      const message = { type: 'checkpoint.put', ns, id: checkpoint.id, body: bytes, view, uses: parcel.uses, content: parcel.content } as const;
      if (ns === '') warm.put(job, checkpoint.id, checkpoint.channel_values, bytes, session);
      if (job.durability === 'sync') await outbox.ask(message);
      else outbox.say({ ...message, requestId: null });
      return { configurable: { thread_id: job.threadId, checkpoint_ns: ns, checkpoint_id: checkpoint.id } };
    }

    override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string, taskPath = ''): Promise<void> {
      const { ns, id } = this.#address(config);
      if (id === null) throw new Error('Failed to put writes: the config names no checkpoint_id.');
      let bodies: WriteBody[] = [];
      const made = values.parcel(session.known, (parcel) => {
        bodies = writes.map(([channel, value], at) => ({
          taskId,
          taskPath,
          idx: (WRITES_IDX_MAP as Record<string, number>)[channel] ?? at,
          channel,
          ref: values.encode(value, parcel),
        }));
      });
      const parcel = made instanceof Promise ? await made : made;
      parcel.sent();
      const message = { type: 'checkpoint.writes', ns, id, writes: bodies, uses: parcel.uses, content: parcel.content } as const;
      if (job.durability === 'sync') await outbox.ask(message);
      else outbox.say({ ...message, requestId: null });
    }

    override async deleteThread(threadId: string): Promise<void> {
      throw fail('FOREIGN_THREAD', { asked: threadId });
    }

    /** The port belongs to one thread: a node that asks for another gets an error (P8). */
    #address(config: RunnableConfig): { ns: string; id: string | null } {
      const asked = config.configurable?.['thread_id'] as string | undefined;
      if (asked !== job.threadId) throw fail('FOREIGN_THREAD', { asked: String(asked) });
      return {
        ns: (config.configurable?.['checkpoint_ns'] as string | undefined) ?? '',
        id: (config.configurable?.['checkpoint_id'] as string | undefined) ?? null,
      };
    }

    #learn(content: readonly NewContent[]): void {
      for (const [hash, bytes] of content) session.content.set(hashKey(hash), bytes);
    }

    async #tuple(saved: SavedCheckpoint): Promise<CheckpointTuple> {
      const body = unpack<CheckpointBody>(saved.body);
      const versions = parseJson(body.versions) as Checkpoint['channel_versions'];
      const refs = body.channels.map(([, ref]) => ref);
      const writeRefs = saved.writes.map((write) => write.ref);
      const remembered = saved.ns === '' ? warm.values(job, saved.id, body, values) : null;
      await this.#fetch(remembered === null ? [...refs, ...writeRefs] : writeRefs);
      values.reachable([...refs, ...writeRefs], session.content, session.known);
      const channelValues = remembered ?? {};
      if (remembered === null) {
        for (const [name, ref] of body.channels) define(channelValues, name, await values.decode(ref, session.content));
      }
      heads.set(saved.ns, { id: saved.id, refs: new Map(body.channels), versions });
      const tuple: CheckpointTuple = {
        config: { configurable: { thread_id: job.threadId, checkpoint_ns: saved.ns, checkpoint_id: saved.id } },
        checkpoint: { v: body.v, id: saved.id, ts: body.ts, channel_values: channelValues, channel_versions: versions, versions_seen: parseJson(body.seen) as Checkpoint['versions_seen'] },
        metadata: parseJson(body.metadata) as CheckpointMetadata,
        pendingWrites: await this.#pendingWrites(saved.writes),
      };
      if (body.parentId !== null) {
        tuple.parentConfig = { configurable: { thread_id: job.threadId, checkpoint_ns: saved.ns, checkpoint_id: body.parentId } };
      }
      return tuple;
    }

    /** In the order live execution applies them (langgraph-checkpoint, writesSortKey). */
    async #pendingWrites(writes: readonly WriteBody[]): Promise<CheckpointPendingWrite[]> {
      const sorted = [...writes].sort((a, b) => compareWritesSortKeys(writesSortKey(a.taskPath, a.taskId, a.idx), writesSortKey(b.taskPath, b.taskId, b.idx)));
      return Promise.all(sorted.map(async (write): Promise<CheckpointPendingWrite> => [write.taskId, write.channel, await values.decode(write.ref, session.content)]));
    }

    async #fetch(refs: readonly Ref[]): Promise<void> {
      for (let missing = values.missing(refs, session.content); missing.length > 0; missing = values.missing(refs, session.content)) {
        const page = missing.slice(0, 2_048);
        const found = await outbox.ask({ type: 'content.get', hashes: page });
        for (const [at, bytes] of found.entries()) {
          if (bytes === null) throw fail('STORE_DAMAGED', { key: `content ${hashKey(page[at]!)}` });
          session.content.set(hashKey(page[at]!), bytes);
        }
      }
    }
  }
  return new RunSaver() as unknown as BaseCheckpointSaver;
}

function runMetadata(config: RunnableConfig): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config.metadata ?? {}).filter(([key]) => keptInMetadata(key)));
}

/** Own property whatever the name: a channel may be called `__proto__`. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
