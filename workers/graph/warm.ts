import type { Checkpoint } from '@langchain/langgraph-checkpoint';
import { setOwn } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { pack } from '../../src/wire/codec.js';
import type { ThreadJob } from '../../src/wire/runs/messages.js';
import { hashKey, type CheckpointBody, type Ref } from '../../src/wire/runs/state.js';
import { Parcel, type Values } from './values.js';

interface WarmThread {
  headId: string;
  values: Record<string, unknown>;
  known: Set<string>;
  bytes: number;
}

/**
 * The newest state of recently served threads, as live objects, so that the next run of a long chat need not
 * revive a thousand messages. If an object was changed after it was stored, the comparison with its reference
 * detects that, and the stored form is used.
 */
class WarmThreads {
  readonly #threads = new Map<string, WarmThread>();
  #bytes = 0;

  /** The known content of the thread, if the cached state is its newest checkpoint. */
  session(job: ThreadJob): { content: Map<string, Uint8Array>; known: Set<string> } | null {
    const thread = this.#match(job.threadId, job.head?.id);
    return thread === null ? null : { content: new Map(), known: thread.known };
  }

  /** The channel values of the checkpoint, or null when they must be revived from content. */
  values(job: ThreadJob, id: string, body: CheckpointBody, values: Values): Record<string, unknown> | null {
    const thread = this.#match(job.threadId, id);
    if (thread === null) return null;
    const found: Record<string, unknown> = {};
    for (const [name, ref] of body.channels) {
      if (!Object.hasOwn(thread.values, name)) return null;
      const value = thread.values[name];
      const parcel = new Parcel(thread.known);
      if (!sameRef(values.encode(value, parcel), ref) || parcel.exotic.size > 0 || parcel.content.length > 0)
        return null;
      // Copy lists, because reducers may push into them.
      setOwn(found, name, Array.isArray(value) ? [...(value as unknown[])] : value);
    }
    return found;
  }

  /** Keeps the checkpoint as the newest state of the thread. `body` is its stored form. */
  put(
    job: ThreadJob,
    { id: headId, channel_values: values }: Pick<Checkpoint, 'id' | 'channel_values'>,
    body: Uint8Array,
    { known }: { known: Set<string> },
  ): void {
    this.#drop(job.threadId);
    const copies: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(values)) {
      setOwn(copies, name, Array.isArray(value) ? [...(value as unknown[])] : value);
    }
    // An estimate: the size of messages in memory is unknown, but the number of addresses is known.
    const bytes = body.byteLength + known.size * 1_024;
    if (bytes > LIMITS.warmBytesMax) return;
    this.#threads.set(job.threadId, { headId, values: copies, known, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#threads.keys()) {
      if (this.#threads.size <= LIMITS.warmThreadsMax && this.#bytes <= LIMITS.warmBytesMax) break;
      this.#drop(oldest);
    }
  }

  forget(threadId: string): void {
    this.#drop(threadId);
  }

  #match(threadId: string, headId: string | undefined): WarmThread | null {
    const thread = this.#threads.get(threadId);
    return thread === undefined || headId === undefined || thread.headId !== headId ? null : thread;
  }

  #drop(threadId: string): void {
    const thread = this.#threads.get(threadId);
    if (thread === undefined) return;
    this.#threads.delete(threadId);
    this.#bytes -= thread.bytes;
  }
}

/** One per worker thread. */
export const warmThreads = new WarmThreads();

function sameRef(a: Ref, b: Ref): boolean {
  if (a[0] !== b[0]) return false;
  if (a[0] === 1 && b[0] === 1) return hashKey(a[1]) === hashKey(b[1]);
  return Buffer.compare(pack(a), pack(b)) === 0;
}
