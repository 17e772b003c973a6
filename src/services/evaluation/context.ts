import type { Clock } from '../../base/clock.js';
import type { Ids } from '../../base/ids.js';
import type { Logger } from '../../base/log/log.js';
import type { EvaluationPool } from '../../pool/evaluation-pool.js';
import { Datasets } from '../../store/evaluation/datasets.js';
import type { Store } from '../../store/store.js';
import { Experiments } from '../../store/evaluation/experiments.js';
import { ReadYourWrites } from '../../store/read-your-writes.js';
import { BlockLists } from '../../store/evaluation/block-lists.js';
import type { Remover } from '../../store/remover.js';
import { AttachmentLinks, type LinkSettings } from '../../wire/evaluation/attachment-links.js';
import { BodyMemory } from './body-memory.js';
import type { GraphRunLookup } from './graph-runs.js';
import { KeyedLocks } from './locks.js';
import type { RunWatcher } from './run-watcher.js';
import { StatisticsUpdater } from './statistics.js';

/**
 * Context of the evaluation services. Changes are decided here, on the front thread. The evaluation thread
 * answers reads.
 */
export class EvaluationContext {
  readonly pool: EvaluationPool;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly remover: Remover;
  /** Largest accepted body. */
  readonly uploadBytesMax: number;
  readonly attachmentLinks: AttachmentLinks;
  /** Datasets and traces may be shared by public links. */
  readonly allowsShares: boolean;
  readonly latest: ReadYourWrites;
  readonly lists: BlockLists;
  readonly datasets: Datasets;
  readonly experiments: Experiments;
  readonly statistics: StatisticsUpdater;
  /** Lock for each dataset. Required to write its examples or to add an experiment. */
  readonly locks = new KeyedLocks();
  /** Names of experiments that are being uploaded. */
  readonly reservedNames = new Set<string>();
  /** Ids of feedback that arrived before its run, by run. */
  readonly orphans = new Map<string, Set<string>>();
  readonly graphRuns: GraphRunLookup;
  /** Bodies that are on their way to the evaluation thread, or that it works on. */
  readonly bodies = new BodyMemory();
  /** Null until the rules are loaded. */
  watcher: RunWatcher | null = null;
  #lastUs = 0;

  constructor(options: {
    store: Store;
    remover: Remover;
    pool: EvaluationPool;
    clock: Clock;
    ids: Ids;
    log: Logger;
    uploadBytesMax: number;
    attachmentLinks: LinkSettings;
    allowsShares: boolean;
    graphRuns: GraphRunLookup;
  }) {
    this.pool = options.pool;
    this.clock = options.clock;
    this.ids = options.ids;
    this.log = options.log;
    this.remover = options.remover;
    this.uploadBytesMax = options.uploadBytesMax;
    this.attachmentLinks = new AttachmentLinks(options.attachmentLinks);
    this.allowsShares = options.allowsShares;
    this.graphRuns = options.graphRuns;
    this.latest = new ReadYourWrites(options.store);
    this.lists = new BlockLists(options.store);
    this.datasets = new Datasets(this.latest);
    this.experiments = new Experiments(this.latest);
    this.statistics = new StatisticsUpdater(this.latest, options.pool, this.experiments, options.log);
  }

  /**
   * Current time in microseconds. Strictly increasing, so that versions and records of the same instant keep
   * their order.
   */
  nowUs(): number {
    this.#lastUs = Math.max(this.clock.nowMs() * 1_000, this.#lastUs + 1);
    return this.#lastUs;
  }
}
