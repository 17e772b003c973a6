import { SERVER_CALLER } from '../../domain/caller.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log/log.js';
import type { Steps } from '../../base/steps.js';
import { listHead } from '../../store/evaluation/block-lists.js';
import { blocksOf, type BlockPosition } from '../../store/evaluation/blocks.js';
import { unpackRunHead } from '../../wire/evaluation/evaluation-run.js';
import { listsOf, visibleExperiments, type ExperimentRecord } from '../../store/evaluation/experiments.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { EvaluationContext } from '../evaluation/context.js';
import { ListChanges, type PlacedTrace } from '../evaluation/list-changes.js';
import type { TimeSlicer } from '../time-slicer.js';
import { TRACE_KEEP_MS, type TraceSettings } from './trace-settings.js';

/** Runs that are deleted in one commit, or the runs of one trace. */
const RUNS_PER_COMMIT = 500;

export interface TraceRetentionOptions {
  /** Null: runs are not recorded, and traces of earlier runs are kept. */
  settings: TraceSettings | null;
  evaluation: EvaluationContext;
  timeSlicer: TimeSlicer;
  clock: Clock;
  log: Logger;
}

/** Which traces of a project are kept. */
interface Kept {
  /** When the oldest ones began. */
  fromUs: number;
  /** The newest ones of so many. */
  count: number;
}

/** What is to be deleted of a project. */
interface Expired {
  /** Lists of which nothing is kept. */
  lists: number[];
  /** In other lists. */
  traces: DatedTrace[];
}

interface DatedTrace extends PlacedTrace {
  beganUs: number;
  places: BlockPosition[];
}

/** Deletes traces that are too old or too many. */
export class TraceRetention {
  readonly #options: TraceRetentionOptions;
  #working: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: TraceRetentionOptions) {
    this.#options = options;
  }

  /** Starts a sweep unless one is running. Resolves when it is over; a failure is logged. */
  sweep(): Promise<void> {
    return (this.#working ??= this.#sweep()
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#options.log.error({ err: error }, 'old traces could not be deleted');
      })
      .finally(() => {
        this.#working = null;
      }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
  }

  async #sweep(): Promise<void> {
    const { timeSlicer } = this.#options;
    for (const [project, kept] of await timeSlicer.run(this.#limitedProjects(), () => this.#isClosed)) {
      const { lists, traces } = await timeSlicer.run(this.#expired(project, kept), () => this.#isClosed);
      if (lists.length > 0) await this.#deleteLists(project.experimentId, new Set(lists));
      for (const some of inCommits(traces)) if (!this.#isClosed) await this.#deleteTraces(some);
    }
  }

  *#limitedProjects(): Steps<[ExperimentRecord, Kept][]> {
    const found: [ExperimentRecord, Kept][] = [];
    for (const project of visibleExperiments(this.#options.evaluation.latest.store, SERVER_CALLER)) {
      const kept = this.#keptOf(project);
      if (kept !== null) found.push([project, kept]);
      yield;
    }
    return found;
  }

  /** Null: all of them. */
  #keptOf({ assistantId, referenceDatasetId, traceTier }: ExperimentRecord): Kept | null {
    const { settings, clock } = this.#options;
    const isRecorded = assistantId !== undefined;
    if (isRecorded ? settings === null : referenceDatasetId !== null || traceTier !== 'shortlived') return null;
    const keepMs = settings === null ? TRACE_KEEP_MS : settings.keepMs;
    return {
      fromUs: keepMs === null ? 0 : (clock.nowMs() - keepMs) * 1_000,
      count: isRecorded ? (settings?.keepTraces ?? Infinity) : Infinity,
    };
  }

  /** Traces of a later list count as newer. */
  *#expired(project: ExperimentRecord, { fromUs, count }: Kept): Steps<Expired> {
    const { experiments, latest } = this.#options.evaluation;
    const expired: Expired = { lists: [], traces: [] };
    const all = listsOf(project);
    let kept = 0;
    for (const list of all.toReversed()) {
      yield;
      // The first list has the feedback on the project, and new traces come into the last one.
      const canGo = list !== all[0] && list !== all.at(-1);
      const { seq, startsUs: [earliestUs, latestUs] = [-Infinity, Infinity] } = listHead(latest.store, list);
      if (canGo && (latestUs < fromUs || kept >= count)) {
        expired.lists.push(list);
        continue;
      }
      if (earliestUs >= fromUs && count === Infinity) continue;
      const statistics = experiments.statistics(list);
      const inList = statistics?.seq === seq ? statistics.runCount : Infinity;
      if (earliestUs >= fromUs && kept + inList <= count) {
        kept += inList;
        continue;
      }
      const newestFirst = yield* this.#tracesOf(list);
      const gone = newestFirst.filter(({ beganUs }, at) => beganUs < fromUs || kept + at >= count);
      kept += newestFirst.length - gone.length;
      if (canGo && gone.length === newestFirst.length) expired.lists.push(list);
      else expired.traces.push(...gone);
    }
    return expired;
  }

  *#tracesOf(list: number): Steps<DatedTrace[]> {
    const traces = new Map<string, DatedTrace>();
    for (const { first, items } of blocksOf(this.#options.evaluation.latest.store, 'R', list)) {
      for (const [at, item] of items.entries()) {
        if (item.byteLength === 0) continue;
        const { traceId, startUs } = unpackRunHead(item);
        const trace = traces.get(traceId) ?? { traceId, beganUs: Infinity, places: [] };
        traces.set(traceId, trace);
        // Its root may be gone, if it was deleted while its run executed.
        trace.beganUs = Math.min(trace.beganUs, startUs);
        trace.places.push({ list, first, at });
      }
      yield;
    }
    return [...traces.values()].sort((one, other) => other.beganUs - one.beganUs);
  }

  /** The remover deletes what is in them. */
  async #deleteLists(experimentId: string, lists: ReadonlySet<number>): Promise<void> {
    const { experiments, latest, remover } = this.#options.evaluation;
    await latest.flushed();
    const project = experiments.get(SERVER_CALLER, experimentId);
    if (project === undefined) return;
    const laterLists = listsOf(project)
      .slice(1)
      .filter((list) => !lists.has(list));
    const plan = new DraftCommit(latest);
    experiments.put(plan, { ...project, laterLists }, project);
    await latest.write(plan);
    remover.wake();
  }

  async #deleteTraces(traces: readonly DatedTrace[]): Promise<void> {
    const { evaluation } = this.#options;
    await evaluation.latest.flushed();
    const changes = new ListChanges(evaluation);
    changes.removeTraces(traces);
    await changes.commit();
  }
}

function* inCommits(traces: readonly DatedTrace[]): Generator<DatedTrace[]> {
  let some: DatedTrace[] = [];
  let runs = 0;
  for (const trace of traces) {
    some.push(trace);
    runs += trace.places.length;
    if (runs < RUNS_PER_COMMIT) continue;
    yield some;
    some = [];
    runs = 0;
  }
  if (some.length > 0) yield some;
}
