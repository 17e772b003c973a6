import { setImmediate, setTimeout } from 'node:timers/promises';
import type { RootDatabase } from 'lmdb';
import { fail } from '../../base/errors.js';
import { Histogram, HISTOGRAM_BOUNDS } from '../../base/histogram.js';
import { LIMITS } from '../../base/limits.js';
import { putAll, type Journal, type StoredOperation } from '../journal.js';
import type { Key } from '../keys.js';
import { appliedOperation } from './applied.js';
import type { CommitLog, LogPosition } from './commit-log.js';
import { createEntry } from './entry.js';
import type { Tail } from './tail.js';

/** A call of `write` that waits to be appended. */
interface WaitingWrite {
  operations: readonly StoredOperation[];
  bytes: number;
  resolve: (applied: Promise<unknown>) => void;
  reject: (error: Error) => void;
}

/**
 * A commit is durable when it is in the log of the cluster; then it is applied to the database. While one entry is
 * being appended, the next one gathers what is written.
 */
export class LogJournal implements Journal {
  readonly #db: RootDatabase<Uint8Array, Key>;
  readonly #log: CommitLog;
  readonly #epoch: number;
  readonly #tail: Pick<Tail, 'append' | 'close'>;
  readonly #onFenced: () => void;
  readonly #onDiverged: (error: Error) => void;
  #position: LogPosition;
  /** Bytes of all entries that were appended. */
  appendedBytes = 0;
  /** Time until an entry is in the log. */
  readonly appendSeconds = new Histogram(HISTOGRAM_BOUNDS.commit);
  #waiting: WaitingWrite[] = [];
  #appending: Promise<void> | null = null;
  /** The last entry is applied. */
  #applied: Promise<unknown> = Promise.resolve();
  #failure: Error | null = null;
  /** Callers of `whileReachable`, which go on when the log cannot be reached. */
  readonly #readers = new Set<() => void>();

  /** `position`: the last entry that the database contains, which is the last one of the log. */
  constructor(
    db: RootDatabase<Uint8Array, Key>,
    {
      log,
      tail,
      epoch,
      position,
      onFenced,
      onDiverged,
    }: {
      log: CommitLog;
      tail: Pick<Tail, 'append' | 'close'>;
      epoch: number;
      position: LogPosition;
      onFenced: () => void;
      /** The log does not end with the last entry of this node. Nothing more can be appended. */
      onDiverged: (error: Error) => void;
    },
  ) {
    this.#db = db;
    this.#log = log;
    this.#epoch = epoch;
    this.#position = position;
    this.#tail = tail;
    this.#onFenced = onFenced;
    this.#onDiverged = onDiverged;
    log.onUnreachable = () => {
      for (const resolve of this.#readers) resolve();
      this.#readers.clear();
    };
  }

  /** The last entry that is known to be in the log. */
  get position(): LogPosition {
    return this.#position;
  }

  write(operations: readonly StoredOperation[]): Promise<unknown> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    let bytes = 0;
    for (const [, record] of operations) bytes += record?.byteLength ?? 0;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ operations, bytes, resolve, reject });
      // Everything that is written in this turn of the event loop belongs to one entry.
      this.#appending ??= setImmediate()
        .then(() => this.#appendAll())
        .finally(() => {
          this.#appending = null;
        });
    });
  }

  /** False while the database does not answer. */
  get isReachable(): boolean {
    return this.#log.isReachable;
  }

  checkReachable(): void {
    if (!this.#log.isReachable) throw fail('CLUSTER_UNREACHABLE', {});
  }

  whileReachable(work: Promise<void>): Promise<void> {
    if (!this.#log.isReachable) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#readers.add(resolve);
      work.then(resolve, reject).finally(() => this.#readers.delete(resolve));
    });
  }

  async close(): Promise<void> {
    const given = new AbortController();
    await Promise.race([
      this.#appending,
      setTimeout(LIMITS.clusterCloseMs, undefined, { signal: given.signal }).catch(() => undefined),
    ]);
    given.abort();
    await this.#applied;
    await Promise.all([this.#tail.close(), this.#log.close()]);
  }

  async #appendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const writes = this.#takeWrites();
      const operations = writes.flatMap((write) => write.operations);
      try {
        const entry = createEntry(operations, this.#position, this.#epoch);
        const beganMs = performance.now();
        const result = await this.#log.append(entry, this.#position);
        this.appendSeconds.observe((performance.now() - beganMs) / 1_000);
        if (result === 'fenced') throw fail('CLUSTER_FENCED', { epoch: this.#epoch });
        this.#position = entry;
        this.appendedBytes += entry.body.byteLength;
        // The next entry is appended while this one is applied. Tail and database keep their order.
        const applied = this.#tail
          .append([entry])
          .then(() => putAll(this.#db, [...operations, appliedOperation(entry)]));
        // Rejections reach the callers of `write`.
        this.#applied = applied.catch(() => undefined);
        for (const write of writes) write.resolve(applied);
      } catch (error) {
        this.#fail(error as Error, writes);
      }
    }
  }

  /** The oldest writes that wait, up to the size of an entry, but at least one. */
  #takeWrites(): WaitingWrite[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((write, index) => {
      bytes += write.bytes;
      return index > 0 && bytes > LIMITS.logEntryBytesMax;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  #fail(error: Error, writes: readonly WaitingWrite[]): void {
    const isFirst = this.#failure === null;
    this.#failure ??= error;
    for (const write of [...writes, ...this.#waiting.splice(0)]) write.reject(this.#failure);
    const { code } = error as { code?: string };
    if (isFirst && code === 'CLUSTER_FENCED') this.#onFenced();
    if (isFirst && code === 'CLUSTER_LOG_DAMAGED') this.#onDiverged(error);
  }
}
