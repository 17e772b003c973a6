import { packEvaluationRun, unpackEvaluationRun, type EvaluationRun } from './evaluation-run.js';

/** What is known of a packed run without reading it. */
export interface RunHeader {
  runId: string;
  traceId: string;
  isRoot: boolean;
  startUs: number;
  endUs: number | null;
}

/**
 * A run and its item in a block. Each is made from the other when it is needed: graph workers pack the steps of their
 * traces, and few of them are read before they are stored.
 */
export class RunItem implements RunHeader {
  readonly runId: string;
  readonly traceId: string;
  readonly isRoot: boolean;
  readonly startUs: number;
  readonly endUs: number | null;
  #run: EvaluationRun | null;
  #bytes: Uint8Array | null;

  private constructor({ runId, traceId, isRoot, startUs, endUs }: RunHeader, run: EvaluationRun | null) {
    this.runId = runId;
    this.traceId = traceId;
    this.isRoot = isRoot;
    this.startUs = startUs;
    this.endUs = endUs;
    this.#run = run;
    this.#bytes = null;
  }

  /** Do not change the run afterwards. */
  static of(run: EvaluationRun): RunItem {
    const { runId, traceId, parentRunId, startUs, endUs } = run;
    return new RunItem({ runId, traceId, isRoot: parentRunId === null, startUs, endUs }, run);
  }

  /** `bytes`: see `packEvaluationRun`. */
  static packed(header: RunHeader, bytes: Uint8Array): RunItem {
    const item = new RunItem(header, null);
    item.#bytes = bytes;
    return item;
  }

  get run(): EvaluationRun {
    return (this.#run ??= unpackEvaluationRun(this.#bytes!));
  }

  get bytes(): Uint8Array {
    return (this.#bytes ??= packEvaluationRun(this.#run!));
  }
}
