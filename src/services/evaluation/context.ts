import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/errors.js';
import type { Ids } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import type { EvaluationPool } from '../../pool/evaluation-pool.js';
import { Datasets } from '../../store/evaluation/datasets.js';
import type { Store } from '../../store/env.js';
import { Experiments } from '../../store/evaluation/experiments.js';
import { Latest } from '../../store/read-your-writes.js';
import { Lists } from '../../store/evaluation/lists.js';
import type { Remover } from '../../store/remover.js';
import { NO_GRAPH_RUNS, type GraphRuns } from './graph-runs.js';
import { KeyedLocks } from './locks.js';
import { Statistics } from './statistics.js';

/** What the services of evaluation results stand on. Reads are answered by the evaluation thread; here changes are decided. */
export class Evaluation {
  readonly pool: EvaluationPool;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly remover: Remover;
  /** Largest body that is taken in. */
  readonly uploadBytesMax: number;
  readonly latest: Latest;
  readonly lists: Lists;
  readonly datasets: Datasets;
  readonly experiments: Experiments;
  readonly statistics: Statistics;
  /** Whoever writes examples of a dataset, or adds an experiment to it, holds its lock. */
  readonly locks = new KeyedLocks();
  /** Names of experiments that uploads under way will have. */
  readonly reservedNames = new Set<string>();
  /** Feedback that waits for its run: ids by run. */
  readonly orphans = new Map<string, Set<string>>();
  /** Set when the runs of graphs can be asked about. */
  graphRuns: GraphRuns = NO_GRAPH_RUNS;
  readonly #underWay = { bytes: 0 };
  #lastUs = 0;

  constructor(options: {
    store: Store;
    remover: Remover;
    pool: EvaluationPool;
    clock: Clock;
    ids: Ids;
    log: Logger;
    uploadBytesMax: number;
  }) {
    this.pool = options.pool;
    this.clock = options.clock;
    this.ids = options.ids;
    this.log = options.log;
    this.remover = options.remover;
    this.uploadBytesMax = options.uploadBytesMax;
    this.latest = new Latest(options.store);
    this.lists = new Lists(options.store);
    this.datasets = new Datasets(this.latest);
    this.experiments = new Experiments(this.latest);
    this.statistics = new Statistics(this.latest, options.pool, this.experiments, options.log);
  }

  /** Now in microseconds, later than every earlier answer: versions and records of one instant keep their order. */
  nowUs(): number {
    this.#lastUs = Math.max(this.clock.nowMs() * 1_000, this.#lastUs + 1);
    return this.#lastUs;
  }

  /** Counts bytes of bodies that wait for the evaluation thread. Throws OVERLOADED; give them back when the task is done. */
  takeBytes(bytes: number): void {
    if (this.#underWay.bytes + bytes > LIMITS.uploadsUnderWayBytesMax)
      throw fail('OVERLOADED', { what: 'too many uploads are under way' });
    this.#underWay.bytes += bytes;
  }

  get bytesUnderWay(): number {
    return this.#underWay.bytes;
  }

  giveBackBytes(bytes: number): void {
    this.#underWay.bytes -= bytes;
  }
}
