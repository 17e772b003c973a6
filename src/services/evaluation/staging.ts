import { freeMemory } from '../../base/free-memory.js';
import { LIMITS } from '../../base/limits.js';
import { Commit, EMPTY_VALUE, type Store } from '../../store/store.js';
import { keys, type Key } from '../../store/keys.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import { pack } from '../../wire/codec.js';
import type { SliceMessage } from '../../wire/evaluation/evaluation.js';
import type { EvaluationContext } from './context.js';
import { receiveAll } from './receive-messages.js';

/** Records that are written but not published. The staging record of an upload names them. */
export interface StagedLists {
  exampleList: number | null;
  experimentList: number | null;
  /** The group of the attachments, and the first one that is not published. Unset in records of earlier releases. */
  attachmentGroup?: number | null;
  attachmentsFrom?: number;
}

type WriterMessage = SliceMessage | { type: 'identity' | 'changes' | 'attachments' | 'select' };

/** What the work on staged records can do with them. */
export interface Staging {
  /**
   * Writes the slices of a task. Records for which `divert` returns true are not staged, so that they can be part of
   * the publishing commit.
   */
  writeSlices<Value>(task: SliceSession<Value>, divert?: (key: Key, record: Uint8Array) => boolean): Promise<Value>;
  /** A plan whose commit publishes everything: it deletes the staging record. */
  createPublishingPlan(): DraftCommit;
  /** Makes a commit publish the attachments before one, or everything. */
  publishAttachments(commit: Commit, published: { before: number } | 'all'): void;
}

interface SliceSession<Value> {
  duplex: { receive(): Promise<WriterMessage>; send(message: { type: 'more' }): void };
  result: Promise<Value>;
}

/** The records of a slice, with their checksums. */
export function sliceRecords(message: WriterMessage): [key: Key, record: Uint8Array][] {
  if (message.type !== 'slice') throw new Error(`expected a slice, got ${message.type}`);
  let end = 0;
  return message.puts.map(([key, byteLength]) => [key, message.bytes.subarray(end, (end += byteLength))]);
}

/**
 * Allocates lists, names them in a staging record, and calls `work` to fill and publish them. After a failure, the
 * remover deletes what is not published.
 */
export async function withStagedLists<Lists extends StagedLists, T>(
  evaluation: EvaluationContext,
  allocateLists: (take: () => number) => Lists,
  work: (lists: Lists, staging: Staging) => Promise<T>,
): Promise<T> {
  const { latest, remover } = evaluation;
  const openCommit = new Commit();
  const lists = allocateLists(() => evaluation.lists.assign(openCommit));
  const record = keys.upload(evaluation.ids.next());
  openCommit.put(record, pack(lists));
  // It reaches the disk no later than the first slice. If it cannot be written, the slices cannot be either.
  latest.write(openCommit).catch(() => undefined);
  const unpublished: StagedLists = { ...lists };
  try {
    const writer = new StagedWriter(latest.store);
    return await work(lists, {
      writeSlices: (task, divert) =>
        receiveAll(task, (message) => {
          const records = sliceRecords(message);
          if (divert === undefined) return writer.put(records, (message as SliceMessage).bytes);
          return writer.put(records.filter(([key, value]) => !divert(key, value)));
        }),
      createPublishingPlan() {
        const plan = new DraftCommit(latest);
        plan.remove(record);
        return plan;
      },
      publishAttachments(commit, published) {
        if (published === 'all') commit.remove(record);
        else {
          unpublished.attachmentsFrom = published.before;
          commit.put(record, pack(unpublished));
        }
      },
    });
  } catch (error) {
    const commit = new Commit();
    commit.remove(record);
    putLeftovers(commit, unpublished);
    await latest
      .write(commit)
      .catch((cause: unknown) => evaluation.log.error({ err: cause }, 'staged lists could not be queued for removal'));
    remover.wake();
    throw error;
  }
}

/** Queues staged records for removal. */
export function putLeftovers(commit: Commit, lists: StagedLists): void {
  const { exampleList, experimentList, attachmentGroup = null, attachmentsFrom = 0 } = lists;
  if (exampleList !== null) commit.put(keys.leftover('examples', String(exampleList)), EMPTY_VALUE);
  if (experimentList !== null) commit.put(keys.leftover('experiment', String(experimentList)), EMPTY_VALUE);
  if (attachmentGroup !== null)
    commit.put(keys.leftover('attachments', `${attachmentGroup}:${attachmentsFrom}`), EMPTY_VALUE);
}

/**
 * Writes slices without waiting for each one to reach the disk. Commits reach it in order, so the publishing
 * commit proves that all slices are there. The number of unwritten bytes is limited.
 */
class StagedWriter {
  readonly #store: Store;
  #bytes = 0;
  #before: Promise<void> = Promise.resolve();
  #last: Promise<void> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Writes records with checksums. Rejects if an earlier write failed. `freed` is memory that is freed when the records
   * are on disk.
   */
  async put(records: [key: Key, record: Uint8Array][], freed: Uint8Array | null = null): Promise<void> {
    if (this.#bytes >= LIMITS.stagedUnflushedBytes / 2) {
      // Waits for the half before this one, so that the writer never idles.
      await this.#before;
      this.#before = this.#last;
      this.#bytes = 0;
    }
    for (const [, record] of records) this.#bytes += record.byteLength;
    this.#last = this.#store.writeRecords(records);
    this.#last.then(
      () => freed !== null && freeMemory(freed),
      () => undefined,
    );
  }
}
