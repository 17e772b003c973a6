import { SERVER_CALLER } from '../../domain/caller.js';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log/log.js';
import type { Steps } from '../../base/steps.js';
import { blocksOf } from '../../store/evaluation/blocks.js';
import { unpackRunHead } from '../../store/evaluation/evaluation-runs.js';
import { listHead } from '../../store/evaluation/block-lists.js';
import { listsOf, type ExperimentRecord } from '../../store/evaluation/experiments.js';
import { keys } from '../../store/keys.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { Store } from '../../store/store.js';
import type { EvaluationContext } from '../evaluation/context.js';
import type { TimeSlicer } from '../time-slicer.js';
import type { TraceProjects } from './trace-projects.js';
import type { TraceRecorder } from './trace-recorder.js';
import type { TraceSettings } from './trace-settings.js';

/** Traces that are deleted in one commit. */
const TRACES_PER_COMMIT = 50;

export interface TraceRetentionOptions {
  settings: TraceSettings;
  store: Store;
  evaluation: EvaluationContext;
  projects: TraceProjects;
  recorder: TraceRecorder;
  timeSlicer: TimeSlicer;
  clock: Clock;
  log: Logger;
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
    const { projects, recorder, timeSlicer } = this.#options;
    for (const project of [...projects.all()]) {
      const expired = await timeSlicer.run(this.#expiredTraces(project), () => this.#isClosed);
      for (let at = 0; at < expired.length && !this.#isClosed; at += TRACES_PER_COMMIT)
        await recorder.deleteTraces(expired.slice(at, at + TRACES_PER_COMMIT));
      if (expired.length > 0 && project.laterLists !== undefined) await this.#removeEmptyLists(project.experimentId);
    }
  }

  /** Ids of the traces of a project that are to be deleted. Traces of a later list are newer. */
  *#expiredTraces(project: ExperimentRecord): Steps<string[]> {
    const { settings, store, clock } = this.#options;
    const { experiments } = this.#options.evaluation;
    const oldestUs = settings.keepMs === null ? 0 : (clock.nowMs() - settings.keepMs) * 1_000;
    const keptMax = settings.keepTraces ?? Infinity;
    const expired: string[] = [];
    let kept = 0;
    for (const list of listsOf(project).toReversed()) {
      const { seq, startsUs } = listHead(store, list);
      const statistics = experiments.statistics(list);
      const count = statistics?.seq === seq ? statistics.runCount : Infinity;
      if (kept + count <= keptMax && startsUs !== undefined && startsUs[0] >= oldestUs) {
        kept += count;
        continue;
      }
      for (const [traceId, startUs] of yield* this.#tracesOf(list))
        if (startUs < oldestUs || kept >= keptMax) expired.push(traceId);
        else kept += 1;
    }
    return expired;
  }

  /** The traces of a list with the time when each began, newest first. */
  *#tracesOf(list: number): Steps<[traceId: string, startUs: number][]> {
    /** The root of a trace may be gone, if it was deleted while its run executed. */
    const begunUs = new Map<string, number>();
    for (const { items } of blocksOf(this.#options.store, 'R', list)) {
      for (const item of items) {
        if (item.byteLength === 0) continue;
        const { traceId, startUs } = unpackRunHead(item);
        begunUs.set(traceId, Math.min(startUs, begunUs.get(traceId) ?? Infinity));
      }
      yield;
    }
    return [...begunUs].sort(([, one], [, other]) => other - one);
  }

  /** Removes lists that have no runs any more. The first and the last list stay. */
  async #removeEmptyLists(experimentId: string): Promise<void> {
    const { store, evaluation } = this.#options;
    const { experiments, latest, remover } = evaluation;
    await latest.flushed();
    const project = experiments.get(SERVER_CALLER, experimentId);
    const { laterLists = [] } = project ?? {};
    const isEmpty = (list: number): boolean =>
      (['R', 'F'] as const).every(
        (kind) => [...store.keys({ prefix: keys.blocks(kind, list), limit: 1 })].length === 0,
      );
    const remaining = laterLists.filter((list) => list === laterLists.at(-1) || !isEmpty(list));
    if (project === undefined || remaining.length === laterLists.length) return;
    const plan = new DraftCommit(latest);
    experiments.put(plan, { ...project, laterLists: remaining }, project);
    await latest.write(plan);
    remover.wake();
  }
}
