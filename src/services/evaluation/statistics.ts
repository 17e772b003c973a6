import type { Logger } from '../../base/log/log.js';
import { SERVER_CALLER } from '../../domain/caller.js';
import type { EvaluationPool } from '../../pool/evaluation-pool.js';
import { Commit } from '../../store/store.js';
import type { Experiments, StatisticsRecord } from '../../store/evaluation/experiments.js';
import { keys } from '../../store/keys.js';
import type { ReadYourWrites } from '../../store/read-your-writes.js';

/** Minimum rest after an aggregation, as a multiple of its duration. Limits the share of the thread for one list. */
const REST_PER_WORK = 3;
/**
 * A list of a tracing project waits this long for its first aggregation, and rests at least as long after each one: it
 * changes all the time, and a read computes what is outdated. A busy list is full by then, and read once.
 */
const PROJECT_DELAY_MS = 10_000;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;

/** Milliseconds for which a list rests after an aggregation of `workMs`. */
export function restAfter(workMs: number, isProject: boolean): number {
  return Math.max(REST_PER_WORK * workMs, isProject ? PROJECT_DELAY_MS : 0);
}

interface OutdatedList {
  /** Entries of the change log that the statistics do not include yet. Empty while the list only rests. */
  seqs: number[];
  notBeforeMs: number;
  retryMs: number;
}

/**
 * Processes the durable change log: every change of runs or feedback adds an entry in its commit. The
 * evaluation thread computes the statistics. One commit stores them and deletes the entries that they include.
 * Entries left by a crash are found at startup.
 */
export class StatisticsUpdater {
  readonly #latest: ReadYourWrites;
  readonly #pool: EvaluationPool;
  readonly #experiments: Experiments;
  readonly #log: Logger;
  readonly #outdated = new Map<number, OutdatedList>();
  #working: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(latest: ReadYourWrites, pool: EvaluationPool, experiments: Experiments, log: Logger) {
    this.#latest = latest;
    this.#pool = pool;
    this.#experiments = experiments;
    this.#log = log;
  }

  /** Number of experiments with outdated statistics. */
  get pendingCount(): number {
    return this.#waiting().length;
  }

  /** Resumes the work of an earlier process. */
  recover(): void {
    for (const key of this.#latest.store.keys({ prefix: keys.allChanges() }))
      this.#addEntry(key[1] as number, key[2] as number);
    this.#startWork();
  }

  /** Call it when the commit with the entry is on disk. */
  onListChanged(list: number, seq: number): void {
    this.#addEntry(list, seq);
    this.#startWork();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#working;
  }

  #addEntry(list: number, seq: number): void {
    const outdated = this.#outdated.get(list);
    if (outdated !== undefined) {
      outdated.seqs.push(seq);
      return;
    }
    const notBeforeMs = this.#isProject(list) ? performance.now() + PROJECT_DELAY_MS : 0;
    this.#outdated.set(list, { seqs: [seq], notBeforeMs, retryMs: RETRY_MS });
  }

  #startWork(): void {
    if (this.#closed || this.#working !== null) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#working = this.#work().finally(() => {
      this.#working = null;
      this.#scheduleWork();
    });
  }

  #scheduleWork(): void {
    const waiting = this.#waiting();
    if (this.#closed || waiting.length === 0) return;
    const nextMs = Math.min(...waiting.map(({ notBeforeMs }) => notBeforeMs));
    this.#timer = setTimeout(
      () => {
        this.#startWork();
      },
      Math.max(0, nextMs - performance.now()),
    );
  }

  async #work(): Promise<void> {
    for (const [list, outdated] of this.#outdated) {
      if (this.#closed) return;
      if (outdated.notBeforeMs > performance.now()) continue;
      if (outdated.seqs.length === 0) {
        this.#outdated.delete(list);
        continue;
      }
      const startedMs = performance.now();
      try {
        await this.#aggregate(list, outdated);
        outdated.retryMs = RETRY_MS;
        const now = performance.now();
        outdated.notBeforeMs = now + restAfter(now - startedMs, this.#isProject(list));
      } catch (error) {
        if (this.#closed) return;
        this.#log.error({ err: error, list }, 'statistics could not be computed');
        outdated.notBeforeMs = performance.now() + outdated.retryMs;
        outdated.retryMs = Math.min(RETRY_MS_MAX, outdated.retryMs * 2);
      }
    }
  }

  #waiting(): OutdatedList[] {
    return [...this.#outdated.values()].filter(({ seqs }) => seqs.length > 0);
  }

  #isProject(list: number): boolean {
    return this.#experiments.ofList(SERVER_CALLER, list)?.referenceDatasetId === null;
  }

  async #aggregate(list: number, outdated: OutdatedList): Promise<void> {
    const record =
      this.#experiments.idOfList(list) === undefined ? null : ((await this.#pool.statistics(list)) as StatisticsRecord);
    const commit = new Commit();
    const covered = record?.seq ?? Infinity;
    const done = new Set(outdated.seqs.filter((seq) => seq <= covered));
    for (const seq of done) commit.remove(keys.change(list, seq));
    // The experiment may have been deleted in the meantime.
    if (record !== null && this.#experiments.idOfList(list) !== undefined)
      this.#experiments.putStatistics(commit, list, record);
    await this.#latest.write(commit);
    // Entries that were added during the write stay, even if the statistics already include them.
    outdated.seqs = outdated.seqs.filter((seq) => !done.has(seq));
  }
}
