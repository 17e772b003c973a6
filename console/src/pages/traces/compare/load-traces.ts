import { evaluation, type Run } from '../../../api/evaluation.js';
import { STEP_FIELDS } from '../trace-data.js';
import { metadataOf, stepsOfTrace, type Step } from '../trace-tree.js';
import { digestStep, type StepDigest } from './compare-steps.js';
import type { VolatileFacts } from './volatile-values.js';

const STEPS_MAX = 10_000;
const PAGE_SIZE = 100;
/** A run begins and ends a little earlier or later than its recorded times. */
const MARGIN_MS = 60_000;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

export interface LoadedTrace {
  steps: readonly Step[];
  /** There are more steps than are compared. */
  hasMore: boolean;
  /** A step has no end yet. */
  isRunning: boolean;
}

export interface LoadedPair {
  /** Null: there is no such trace, or the caller may not see it. */
  left: LoadedTrace | null;
  right: LoadedTrace | null;
  digests: ReadonlyMap<string, StepDigest>;
  facts: VolatileFacts;
}

/** The id in a text: an id itself, or the address of a trace. Null if there is none. */
export function idIn(text: string): string | null {
  // The address of a trace may have a step behind its id.
  return UUID.exec(text)?.[0].toLowerCase() ?? null;
}

/** Loads both traces page by page. Of the values only digests are kept. */
export async function fetchPair(
  ids: { left: string; right: string },
  { signal, onProgress }: { signal: AbortSignal; onProgress: (steps: number) => void },
): Promise<LoadedPair> {
  const digests = new Map<string, StepDigest>();
  const readers = [new TraceReader(ids.left, signal), new TraceReader(ids.right, signal)] as const;
  const [left, right] = readers;
  await Promise.all(readers.map((reader) => reader.begin()));
  const facts = factsOf([...left.page, ...right.page]);
  const load = async (reader: TraceReader): Promise<LoadedTrace | null> => {
    const runs: Run[] = [];
    while (reader.page.length > 0 || reader.hasNext) {
      for (const run of reader.page.slice(0, STEPS_MAX - runs.length)) {
        digests.set(run.id, digestStep(run, facts));
        runs.push({ ...run, inputs: null, outputs: null });
      }
      onProgress(digests.size);
      if (!reader.hasNext || runs.length >= STEPS_MAX) break;
      await reader.next();
    }
    if (runs.length === 0) return null;
    return {
      steps: stepsOfTrace(runs, Date.now()),
      hasMore: reader.hasNext,
      isRunning: runs.some(({ end_time: end }) => end === null),
    };
  };
  const [ofLeft, ofRight] = await Promise.all([load(left), load(right)]);
  return { left: ofLeft, right: ofRight, digests, facts };
}

/** The pages of a trace, from that of its first steps on. */
class TraceReader {
  page: readonly Run[] = [];
  #traceId: string;
  #cursor: string | null = null;
  readonly #signal: AbortSignal;

  constructor(id: string, signal: AbortSignal) {
    this.#traceId = id;
    this.#signal = signal;
  }

  get hasNext(): boolean {
    return this.#cursor !== null;
  }

  async begin(): Promise<void> {
    await this.#readFirst();
    if (this.page.length > 0) return;
    // The id may be that of a step.
    const found = await evaluation.runs({ id: [this.#traceId], select: ['trace_id'] }, this.#signal);
    const traceId = found.runs[0]?.trace_id;
    if (traceId === undefined || traceId === this.#traceId) return;
    this.#traceId = traceId;
    await this.#readFirst();
  }

  async next(): Promise<void> {
    const { runs, cursors } = await evaluation.runs(
      {
        trace: this.#traceId,
        order: 'asc',
        limit: PAGE_SIZE,
        select: [...STEP_FIELDS, 'inputs', 'outputs'],
        ...(this.#cursor === null ? {} : { cursor: this.#cursor }),
      },
      this.#signal,
    );
    this.page = runs;
    this.#cursor = cursors.next;
  }

  /** A page may be empty although later ones are not. */
  async #readFirst(): Promise<void> {
    do await this.next();
    while (this.page.length === 0 && this.hasNext);
  }
}

/** What the first steps of both traces, the roots among them, say about ids and times. */
function factsOf(runs: readonly Run[]): VolatileFacts {
  const roots = runs.filter(({ parent_run_id: parentId }) => parentId === null);
  return {
    ids: new Set([
      ...runs.map(({ trace_id: id }) => id),
      ...roots.flatMap((root) => [root.id, metadataOf(root)['thread_id']]).filter((id) => typeof id === 'string'),
    ]),
    spans: roots.map(({ start_time: start, end_time: end }) => [
      Date.parse(start) - MARGIN_MS,
      (end === null ? Date.now() : Date.parse(end)) + MARGIN_MS,
    ]),
  };
}
