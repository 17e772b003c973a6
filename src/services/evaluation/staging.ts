import { LIMITS } from '../../base/limits.js';
import { Commit, type Store } from '../../store/env.js';
import { keys, type Key } from '../../store/keys.js';
import { Plan } from '../../store/read-your-writes.js';
import { pack } from '../../wire/codec.js';
import type { SliceMessage } from '../../wire/evaluation/evaluation.js';
import type { Evaluation } from './context.js';
import { takeAll } from './follow-task.js';

/** Lists that are written but not published: what the staging record of an upload names. */
export interface Staged {
  exampleList: number;
  /** Null when only examples are written. */
  experimentList: number | null;
}

type Handed = SliceMessage | { type: 'identity' };

interface SliceTask<Value> {
  talk: { next(): Promise<Handed>; send(message: { type: 'more' }): void };
  done: Promise<Value>;
}

/** What a task has handed over: records with their checksum. */
export function slicePuts(message: Handed): [key: Key, record: Uint8Array][] {
  if (message.type !== 'slice') throw new Error(`expected a slice, got ${message.type}`);
  let end = 0;
  return message.puts.map(([key, byteLength]) => [key, message.bytes.subarray(end, (end += byteLength))]);
}

/**
 * Takes lists, names them in a staging record, and lets `work` fill and publish them: it puts the slices of a task with
 * `takeSlices`, and writes the plan of `publishing`, which strikes the record. When it fails, the lists are the remover's.
 */
export async function staged<Lists extends Staged, T>(
  evaluation: Evaluation,
  listsOf: (take: () => number) => Lists,
  work: (
    lists: Lists,
    takeSlices: <Value>(task: SliceTask<Value>) => Promise<Value>,
    publishing: () => Plan,
  ) => Promise<T>,
): Promise<T> {
  const { latest, remover } = evaluation;
  const opening = new Commit();
  const lists = listsOf(() => evaluation.lists.take(opening));
  const record = keys.staged(evaluation.ids.next());
  opening.put(record, pack(lists));
  // On disk no later than the first slice; if it cannot be written, neither can what follows.
  latest.write(opening).catch(() => undefined);
  try {
    const puts = new StagedPuts(latest.store);
    return await work(
      lists,
      (task) => takeAll(task, (message) => puts.put(slicePuts(message))),
      () => {
        const plan = new Plan(latest);
        plan.remove(record);
        return plan;
      },
    );
  } catch (error) {
    const commit = new Commit();
    commit.remove(record);
    nameLeftovers(commit, lists);
    await latest
      .write(commit)
      .catch((cause: unknown) => evaluation.log.error({ err: cause }, 'what was staged could not be discarded'));
    remover.wake();
    throw error;
  }
}

/** Gives staged lists to the remover. */
export function nameLeftovers(commit: Commit, { exampleList, experimentList }: Staged): void {
  commit.put(keys.leftover('examples', String(exampleList)), new Uint8Array(0));
  if (experimentList !== null) commit.put(keys.leftover('experiment', String(experimentList)), new Uint8Array(0));
}

/**
 * Puts slices without waiting for the disk each time: commits reach it in order, so the publishing one says that all are
 * there. Only so many bytes are on their way at once.
 */
class StagedPuts {
  readonly #store: Store;
  #bytes = 0;
  #before: Promise<void> = Promise.resolve();
  #last: Promise<void> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Records with their checksum. Rejects when an earlier one could not be written. */
  async put(records: [key: Key, record: Uint8Array][]): Promise<void> {
    if (this.#bytes >= LIMITS.stagedUnflushedBytes / 2) {
      // The half before, not this one: the writer always has something to do.
      await this.#before;
      this.#before = this.#last;
      this.#bytes = 0;
    }
    for (const [, record] of records) this.#bytes += record.byteLength;
    this.#last = this.#store.writeStamped(records);
    this.#last.catch(() => undefined);
  }
}
