import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/log/log.js';
import type { Steps } from '../../base/steps.js';
import { blocksOf } from '../../store/evaluation/blocks.js';
import { unpackRunHead } from '../../store/evaluation/evaluation-runs.js';
import type { ExperimentRecord } from '../../store/evaluation/experiments.js';
import type { Store } from '../../store/store.js';
import type { TimeSlicer } from '../time-slicer.js';
import type { TraceProjects } from './trace-projects.js';
import type { TraceRecorder } from './trace-recorder.js';
import type { TraceSettings } from './trace-settings.js';

/** Traces that are deleted in one commit. */
const TRACES_PER_COMMIT = 50;

export interface TraceRetentionOptions {
  settings: TraceSettings;
  store: Store;
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
    }
  }

  /** Ids of the traces of a project that are to be deleted. */
  *#expiredTraces({ list }: ExperimentRecord): Steps<string[]> {
    const { settings, store, clock } = this.#options;
    /** When each trace began. Its root may be gone, if it was deleted while its run executed. */
    const begunUs = new Map<string, number>();
    for (const { items } of blocksOf(store, 'R', list)) {
      for (const item of items) {
        if (item.byteLength === 0) continue;
        const { traceId, startUs } = unpackRunHead(item);
        begunUs.set(traceId, Math.min(startUs, begunUs.get(traceId) ?? Infinity));
      }
      yield;
    }
    const newestFirst = [...begunUs].sort(([, one], [, other]) => other - one);
    const oldestUs = settings.keepMs === null ? 0 : (clock.nowMs() - settings.keepMs) * 1_000;
    return newestFirst
      .filter(([, startUs], at) => startUs < oldestUs || at >= (settings.keepTraces ?? Infinity))
      .map(([traceId]) => traceId);
  }
}
