import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import type { StateBudget } from '../../domain/state-budget.js';
import { THREAD_STATE_PREFIXES, type Key } from '../../store/keys.js';
import { stateBytes } from '../../store/threads/thread-sizes.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Store } from '../../store/store.js';
import type { TimeSlicer } from '../time-slicer.js';

/** What is known about the bytes of a thread. */
interface KnownSize {
  /** At least the stored bytes: writes since the measurement are added, also those that replace a record. */
  bytes: number;
  /** The thread was measured, was over its budget, and nothing was removed since. Otherwise it is measured again. */
  isOver: boolean;
  /** Bytes that were left when it was last thinned. */
  thinnedTo: number | null;
}

/** A measurement that has not ended. */
interface Measurement {
  result: Promise<KnownSize>;
  /** Written meanwhile. The measurement may have seen some of it, which then counts twice. */
  added: number;
  /** Something was removed meanwhile, which the measurement may have counted. */
  hasRemovals: boolean;
}

export interface StateBudgetParts {
  store: Store;
  timeSlicer: TimeSlicer;
  clock: Clock;
  log: Logger;
  /** The thread including pending writes; undefined if there is none. */
  findThread: (threadId: string) => ThreadRecord | undefined;
  /** Prunes a thread that has many more states. False if it has not. Throws THREAD_NOT_FOUND, THREAD_BUSY. */
  prune: (record: ThreadRecord, keepLast: number) => Promise<boolean>;
}

const STATE_PREFIXES: ReadonlySet<unknown> = new Set(THREAD_STATE_PREFIXES);
/** A thread that is still over its budget is thinned again after it has grown by this part of the budget. */
const THIN_AGAIN_SHARE = 0.25;

/**
 * Keeps the state of each thread within its budget. A thread is measured once, at its first run since the start; later
 * writes are added, and it is measured again when the sum is over the budget. Nothing is read at other runs.
 */
export class StateBudgets {
  readonly budget: StateBudget;
  /** How often a run or update left a thread over its budget, was refused, and led to a thinning. */
  readonly counts = { exceeded: 0, refused: 0, thinned: 0 };
  readonly #parts: StateBudgetParts;
  /** By inner id of the thread, the earliest measured first. */
  readonly #sizes = new Map<string, KnownSize>();
  readonly #measuring = new Map<string, Measurement>();
  readonly #waking = new Map<string, () => void>();
  readonly #work = new Set<Promise<void>>();
  #loggedMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(budget: StateBudget, parts: StateBudgetParts) {
    this.budget = budget;
    this.#parts = parts;
  }

  /** Adds what a commit changes to the known sizes. For `Store.onWrite`. */
  onWrite(operations: readonly [key: Key, value: Uint8Array | null][]): void {
    for (const [key, value] of operations) {
      if (!STATE_PREFIXES.has(key[0])) continue;
      const size = this.#sizes.get(key[1] as string);
      const measurement = this.#measuring.get(key[1] as string);
      const bytes = value === null ? 0 : value.byteLength + KEY_BYTES;
      if (measurement !== undefined) {
        measurement.added += bytes;
        measurement.hasRemovals ||= value === null;
      }
      if (size === undefined) continue;
      size.bytes += bytes;
      if (value === null) size.isOver = false;
    }
  }

  /** Measures the thread if `check` needs it. Waits only at the first run, and when the thread is near its budget. */
  async prepare(threadId: string): Promise<void> {
    if (this.budget.onExceed !== 'refuse') return;
    const record = this.#parts.findThread(threadId);
    if (record !== undefined && !this.#isKnown(this.#sizes.get(record.uid))) await this.#measure(record);
  }

  /** Throws STATE_BUDGET_EXCEEDED if the thread may not grow any more. */
  check({ threadId, uid }: ThreadRecord): void {
    if (this.budget.onExceed !== 'refuse') return;
    const size = this.#sizes.get(uid);
    if (size?.isOver !== true) return;
    this.counts.refused += 1;
    throw fail('STATE_BUDGET_EXCEEDED', { threadId, bytes: size.bytes, bytesMax: this.budget.threadBytes });
  }

  /** A run or an update of the thread has ended, and is on disk. */
  onChanged(record: ThreadRecord): void {
    const size = this.#sizes.get(record.uid);
    if (this.#isClosed || record.temporary || (size !== undefined && size.bytes <= this.budget.threadBytes)) return;
    const work = this.#enforce(record)
      .catch((error: unknown) => {
        if (!this.#isClosed)
          this.#parts.log.error({ err: error, threadId: record.threadId }, 'the budget of a thread was not applied');
      })
      .finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#waking.values()) cancel();
    this.#waking.clear();
    await Promise.all(this.#work);
  }

  #isKnown(size: KnownSize | undefined): size is KnownSize {
    return size !== undefined && (size.isOver || size.bytes <= this.budget.threadBytes);
  }

  async #enforce(record: ThreadRecord): Promise<void> {
    const known = this.#sizes.get(record.uid);
    const size = this.#isKnown(known) ? known : await this.#measure(record);
    if (!size.isOver || this.#isClosed) return;
    this.counts.exceeded += 1;
    if (this.budget.onExceed !== 'thin') this.#logExceeded(record.threadId, size.bytes);
    else if (size.thinnedTo === null || size.bytes > size.thinnedTo + this.budget.threadBytes * THIN_AGAIN_SHARE)
      this.#thinLater(record);
  }

  /** A client usually continues at once after a run, and must not find its thread busy. */
  #thinLater({ threadId, uid }: ThreadRecord): void {
    if (this.#waking.has(uid)) return;
    const cancel = this.#parts.clock.wakeAfter(LIMITS.stateThinDelayMs, () => {
      this.#waking.delete(uid);
      const work = this.#thin(threadId)
        .catch((error: unknown) => {
          const { code } = error as { code?: string };
          // A busy thread is thinned after its next run.
          if (code !== 'THREAD_BUSY' && code !== 'THREAD_NOT_FOUND' && !this.#isClosed)
            this.#parts.log.error({ err: error, threadId }, 'a thread over its budget could not be thinned');
        })
        .finally(() => this.#work.delete(work));
      this.#work.add(work);
    });
    this.#waking.set(uid, cancel);
  }

  async #thin(threadId: string): Promise<void> {
    const { findThread, prune, log } = this.#parts;
    const record = findThread(threadId);
    if (record === undefined) return;
    const before = this.#sizes.get(record.uid)?.bytes ?? null;
    const isPruned = await prune(record, this.budget.keepLast);
    if (isPruned) this.counts.thinned += 1;
    const size = isPruned ? await this.#measure(record) : this.#sizes.get(record.uid);
    if (size === undefined) return;
    if (isPruned)
      log.info({ threadId, bytesBefore: before, bytes: size.bytes }, 'a thread over its budget was thinned');
    size.thinnedTo = size.isOver ? size.bytes : null;
    if (size.isOver) this.#logExceeded(threadId, size.bytes);
  }

  #logExceeded(threadId: string, bytes: number): void {
    const nowMs = this.#parts.clock.elapsedMs();
    if (nowMs - this.#loggedMs < LIMITS.stateBudgetLogMs) return;
    this.#loggedMs = nowMs;
    const threads = [...this.#sizes.values()].filter(({ isOver }) => isOver).length;
    this.#parts.log.warn(
      { threadId, bytes, bytesMax: this.budget.threadBytes, threadsOverBudget: threads },
      'the state of a thread is over its budget',
    );
  }

  /** Concurrent calls for a thread share one measurement. */
  #measure(record: ThreadRecord): Promise<KnownSize> {
    const { uid } = record;
    const known = this.#measuring.get(uid);
    if (known !== undefined) return known.result;
    const measurement: Measurement = {
      result: this.#read(record, () => measurement),
      added: 0,
      hasRemovals: false,
    };
    this.#measuring.set(uid, measurement);
    return measurement.result;
  }

  async #read(record: ThreadRecord, measurement: () => Measurement): Promise<KnownSize> {
    const { store, timeSlicer } = this.#parts;
    const { uid } = record;
    try {
      await store.flushed();
      const read = await timeSlicer.run(stateBytes(store, record), () => false);
      const { added, hasRemovals } = measurement();
      const bytes = read + added;
      const thinnedTo = this.#sizes.get(uid)?.thinnedTo ?? null;
      const size: KnownSize = { bytes, isOver: bytes > this.budget.threadBytes && !hasRemovals, thinnedTo };
      this.#sizes.delete(uid);
      this.#sizes.set(uid, size);
      if (this.#sizes.size > LIMITS.budgetedThreadsMax) this.#sizes.delete(this.#sizes.keys().next().value!);
      return size;
    } finally {
      this.#measuring.delete(uid);
    }
  }
}

/** Kind, inner id, namespace and id of a usual record. */
const KEY_BYTES = 64;
