import { packEvaluationRun, unpackEvaluationRun, type EvaluationRun } from './evaluation-run.js';

/** What is known of a packed run without reading it. */
export interface RunHeader {
  runId: string;
  traceId: string;
  isRoot: boolean;
  startUs: number;
  endUs: number | null;
}

/** The run, or its bytes with the texts that they share. */
interface Contents {
  run?: EvaluationRun | null;
  bytes?: Uint8Array | null;
  texts?: Uint8Array | null;
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
  /** Texts that `bytes` shares with other items (shared-texts.ts); null if there are none. */
  readonly texts: Uint8Array | null;
  #run: EvaluationRun | null;
  #bytes: Uint8Array | null;

  private constructor(
    { runId, traceId, isRoot, startUs, endUs }: RunHeader,
    { run = null, bytes = null, texts = null }: Contents,
  ) {
    this.runId = runId;
    this.traceId = traceId;
    this.isRoot = isRoot;
    this.startUs = startUs;
    this.endUs = endUs;
    this.texts = texts;
    this.#run = run;
    this.#bytes = bytes;
  }

  /** Do not change the run afterwards. */
  static of(run: EvaluationRun): RunItem {
    return new RunItem(headerOf(run), { run });
  }

  /** `bytes`: see `packEvaluationRun`. */
  static packed(header: RunHeader, bytes: Uint8Array, texts: Uint8Array | null = null): RunItem {
    return new RunItem(header, { bytes, texts });
  }

  get run(): EvaluationRun {
    return (this.#run ??= unpackEvaluationRun(this.#bytes!, this.texts));
  }

  /** The run with marks in place of the texts that it shares. */
  get runWithMarks(): EvaluationRun {
    return this.texts === null ? this.run : unpackEvaluationRun(this.#bytes!);
  }

  get bytes(): Uint8Array {
    return (this.#bytes ??= packEvaluationRun(this.#run!));
  }

  /** The item with other values in some fields. These have no marks. */
  with(values: Partial<EvaluationRun>): RunItem {
    const run = { ...this.runWithMarks, ...values };
    return this.texts === null ? RunItem.of(run) : RunItem.packed(headerOf(run), packEvaluationRun(run), this.texts);
  }
}

function headerOf({ runId, traceId, parentRunId, startUs, endUs }: EvaluationRun): RunHeader {
  return { runId, traceId, isRoot: parentRunId === null, startUs, endUs };
}
