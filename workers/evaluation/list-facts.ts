import { dottedOrderOf } from '../../src/domain/dotted-order.js';
import { USAGE_FIELDS, type Usage } from '../../src/domain/usage.js';
import { blocksOf, unpackBlock, type BlockPosition } from '../../src/store/evaluation/blocks.js';
import { unpackRunHead, type RunHead } from '../../src/wire/evaluation/evaluation-run.js';
import { unpackFeedbackHead, type FeedbackHead, type RunThread } from '../../src/store/evaluation/feedback.js';
import { keys } from '../../src/store/keys.js';
import { listHead, type ListChange } from '../../src/store/evaluation/block-lists.js';
import type { Reader } from '../../src/store/reader.js';
import { unpack } from '../../src/wire/codec.js';
import type { FeedbackFact } from './feedback-statistics.js';
import type { RunFact } from './run-statistics.js';

/** The parts of a feedback record that are kept in memory. */
export interface KeptFeedback extends FeedbackFact {
  feedbackId: string;
  runId: string | null;
  createdAtUs: number;
  comparative: boolean;
  /** Null unless the feedback is on a graph's run. */
  thread: RunThread | null;
  place: BlockPosition;
}

/**
 * The parts of a run that are kept in memory: enough for statistics, order and joins. The rest is read when the
 * run is shown.
 */
export interface KeptRun extends RunFact {
  runId: string;
  traceId: string;
  parentRunId: string | null;
  exampleId: string | null;
  name: string;
  runType: string;
  place: BlockPosition;
  feedback: KeptFeedback[];
}

/** All kept rows in order, and indexes over them that are built on demand: statistics of projects need none. */
class Derived implements TraceRoots {
  /** Newest start first. Runs with the same start are ordered by id, descending. */
  readonly runs: readonly KeptRun[];
  /** All feedback, newest first. */
  readonly feedback: readonly KeptFeedback[];
  #byId: Map<string, KeptRun> | null = null;
  #rootsById: Map<string, KeptRun> | null = null;
  #otherRoots: Map<string, KeptRun> | null = null;
  #byExample: Map<string, KeptRun[]> | null = null;
  #childrenOfExamples: KeptRun[] | null = null;
  #ofExperiment: KeptFeedback[] | null = null;

  /** Both in the order of arrival. Changes the runs. */
  constructor(runs: KeptRun[], feedback: KeptFeedback[]) {
    // What arrives later usually started later.
    this.runs = inOrder(runs.reverse(), byStartDescending);
    for (const run of runs) if (run.feedback.length > 0) run.feedback = [];
    // A run's feedback is in the order of arrival.
    for (const one of feedback) if (one.runId !== null) this.byId.get(one.runId)?.feedback.push(one);
    sumTraces(runs, this);
    this.feedback = inOrder(feedback, byTimeDescending);
  }

  get byId(): ReadonlyMap<string, KeptRun> {
    return (this.#byId ??= new Map(this.runs.map((run) => [run.runId, run])));
  }

  get rootsById(): ReadonlyMap<string, KeptRun> {
    return (this.#rootsById ??= new Map(this.runs.filter(({ root }) => root).map((run) => [run.runId, run])));
  }

  /** See `TraceRoots`. */
  get otherRoots(): ReadonlyMap<string, KeptRun> {
    return (this.#otherRoots ??= otherRootsOf(this.runs));
  }

  /** The root runs of each example. */
  get byExample(): ReadonlyMap<string, KeptRun[]> {
    return (this.#byExample ??= rootsByExample(this.runs));
  }

  /** Other runs that name an example, which are rare. */
  get childrenOfExamples(): readonly KeptRun[] {
    return (this.#childrenOfExamples ??= this.runs.filter(({ exampleId, root }) => exampleId !== null && !root));
  }

  /** Feedback on the experiment as a whole, newest first. */
  get ofExperiment(): readonly KeptFeedback[] {
    return (this.#ofExperiment ??= this.feedback.filter(({ runId }) => runId === null));
  }
}

/**
 * The runs and feedback of one list, cached in memory and as current as the store. `refresh` reads the blocks
 * that changed, or all blocks if it cannot tell which changed.
 */
export class ListFacts {
  readonly list: number;
  readonly #reader: Reader;
  readonly #runs = new Map<number, KeptRun[]>();
  readonly #feedback = new Map<number, KeptFeedback[]>();
  #seq = -1;
  #rows = 0;
  #derived: Derived | null = null;

  constructor(reader: Reader, list: number) {
    this.#reader = reader;
    this.list = list;
  }

  get seq(): number {
    return this.#seq;
  }

  get rows(): number {
    return this.#rows;
  }

  refresh(): void {
    const { seq } = listHead(this.#reader, this.list);
    if (seq === this.#seq) return;
    this.#derived = null;
    const changes = this.#seq < 0 ? null : this.#changesTo(seq);
    if (changes === null) this.#readAll();
    else for (const change of changes) this.#readChanged(change);
    this.#seq = seq;
    this.#rows = countOf(this.#runs) + countOf(this.#feedback);
  }

  get derived(): Derived {
    return (this.#derived ??= new Derived([...this.#runs.values()].flat(), [...this.#feedback.values()].flat()));
  }

  /**
   * The changes after the last known one. Null when one is missing, because the aggregator has already removed
   * it.
   */
  #changesTo(seq: number): ListChange[] | null {
    const changes: ListChange[] = [];
    for (let at = this.#seq + 1; at <= seq; at += 1) {
      const bytes = this.#reader.get(keys.change(this.list, at));
      if (bytes === undefined) return null;
      const change = unpack<ListChange>(bytes);
      if (change.all) return null;
      changes.push(change);
    }
    return changes;
  }

  #readAll(): void {
    this.#runs.clear();
    this.#feedback.clear();
    for (const { first, items } of blocksOf(this.#reader, 'R', this.list)) this.#keepRuns(first, items);
    for (const { first, items } of blocksOf(this.#reader, 'F', this.list)) this.#keepFeedback(first, items);
  }

  #readChanged({ runs, feedback }: ListChange): void {
    for (const first of runs) this.#keepRuns(first, this.#block('R', first));
    for (const first of feedback) this.#keepFeedback(first, this.#block('F', first));
  }

  #block(kind: 'R' | 'F', first: number): Uint8Array[] {
    const bytes = this.#reader.get(keys.block(kind, this.list, first));
    return bytes === undefined ? [] : unpackBlock(bytes);
  }

  #keepRuns(first: number, items: readonly Uint8Array[]): void {
    const kept: KeptRun[] = [];
    items.forEach((item, at) => {
      if (item.byteLength > 0) kept.push(keptRun(unpackRunHead(item), { list: this.list, first, at }));
    });
    this.#runs.set(first, kept);
  }

  #keepFeedback(first: number, items: readonly Uint8Array[]): void {
    const kept: KeptFeedback[] = [];
    items.forEach((item, at) => {
      if (item.byteLength > 0) kept.push(keptFeedback(unpackFeedbackHead(item), { list: this.list, first, at }));
    });
    this.#feedback.set(first, kept);
  }
}

function countOf(blocks: ReadonlyMap<number, readonly unknown[]>): number {
  let count = 0;
  for (const block of blocks.values()) count += block.length;
  return count;
}

/** Adds up the usage of a trace's model calls in its root run. Uploads have no such calls. */
function sumTraces(runs: readonly KeptRun[], traces: TraceRoots): void {
  for (const run of runs) {
    if (!run.root || run.runType === 'llm') continue;
    for (const field of USAGE_FIELDS) run[field] = null;
  }
  for (const run of runs) {
    if (run.root || run.runType !== 'llm') continue;
    const root = rootOf(run, traces);
    if (root !== undefined) addUsage(root, run);
  }
}

type RunUsage = Usage & Pick<KeptRun, 'runType' | 'firstTokenUs'>;

/** Adds the usage of a model call to the root of its trace, unless that is a model call itself. */
export function addUsage(root: RunUsage, call: RunUsage): void {
  if (root.runType === 'llm') return;
  for (const field of USAGE_FIELDS) if (call[field] !== null) root[field] = (root[field] ?? 0) + call[field];
  if (call.firstTokenUs !== null)
    root.firstTokenUs = root.firstTokenUs === null ? call.firstTokenUs : Math.min(root.firstTokenUs, call.firstTokenUs);
}

/** Steps between a run and its root. Runs that are each other's parents have none. */
const DEPTH_MAX = 1_000;

/** How roots are found. */
export interface TraceRoots {
  byId: ReadonlyMap<string, KeptRun>;
  rootsById: ReadonlyMap<string, KeptRun>;
  /** By trace: the earliest root, if it does not have the id of its trace. */
  otherRoots: ReadonlyMap<string, KeptRun>;
}

function rootsByExample(runs: readonly KeptRun[]): Map<string, KeptRun[]> {
  const byExample = new Map<string, KeptRun[]>();
  for (const run of runs) {
    if (!run.root || run.exampleId === null) continue;
    const others = byExample.get(run.exampleId);
    if (others === undefined) byExample.set(run.exampleId, [run]);
    else others.push(run);
  }
  return byExample;
}

function otherRootsOf(runs: readonly KeptRun[]): Map<string, KeptRun> {
  const roots = new Map<string, KeptRun>();
  for (const run of runs) {
    if (!run.root || run.runId === run.traceId) continue;
    const known = roots.get(run.traceId);
    if (known === undefined || byStartDescending(run, known) > 0) roots.set(run.traceId, run);
  }
  return roots;
}

/**
 * The root above a run. Most traces have the id of their root. A trace of OpenTelemetry may have several; the earliest
 * one stands in for parents that have not arrived.
 */
export function rootOf(run: KeptRun, traces: TraceRoots): KeptRun | undefined {
  const named = traces.rootsById.get(run.traceId);
  if (named !== undefined) return named;
  const { byId, otherRoots } = traces;
  let at: KeptRun | undefined = run;
  for (let depth = 0; depth < DEPTH_MAX && at !== undefined && !at.root; depth += 1)
    at = at.parentRunId === null ? undefined : byId.get(at.parentRunId);
  return at?.root === true ? at : otherRoots.get(run.traceId);
}

/** The dotted order of a run without one, from the ancestors that have arrived. */
export function dottedOrderIn({ byId }: Pick<TraceRoots, 'byId'>, run: KeptRun): string {
  const steps: string[] = [];
  for (let at: KeptRun | undefined = run; at !== undefined && steps.length < DEPTH_MAX;) {
    steps.unshift(dottedOrderOf(at.startUs, at.runId));
    at = at.parentRunId === null ? undefined : byId.get(at.parentRunId);
  }
  return steps.join('.');
}

export function byStartDescending<T extends Pick<KeptRun, 'startUs' | 'runId'>>(a: T, b: T): number {
  return b.startUs - a.startUs || (a.runId < b.runId ? 1 : -1);
}

export function byTimeDescending(a: KeptFeedback, b: KeptFeedback): number {
  return b.createdAtUs - a.createdAtUs || a.place.first - b.place.first || a.place.at - b.place.at;
}

/** Names, keys and sources repeat in most rows, so each distinct text is kept once. */
const INTERNED_MAX = 1_000;
const internedTexts = new Map<string, string>();

function internText(text: string): string {
  const known = internedTexts.get(text);
  if (known === undefined && internedTexts.size < INTERNED_MAX) internedTexts.set(text, text);
  return known ?? text;
}

function keptRun(run: RunHead, place: BlockPosition): KeptRun {
  // Listed one by one: a list of 100,000 runs is read at once, and a spread takes twice the time.
  return {
    runId: run.runId,
    traceId: run.traceId,
    parentRunId: run.parentRunId,
    exampleId: run.exampleId,
    name: internText(run.name),
    runType: internText(run.runType),
    place,
    startUs: run.startUs,
    endUs: run.endUs,
    failed: run.failed,
    root: run.parentRunId === null,
    firstTokenUs: run.firstTokenUs,
    totalTokens: run.totalTokens,
    promptTokens: run.promptTokens,
    completionTokens: run.completionTokens,
    totalCost: run.totalCost,
    promptCost: run.promptCost,
    completionCost: run.completionCost,
    feedback: [],
  };
}

/** Copies the bytes. A slice would keep its whole block in memory. */
function keptThread(thread: RunThread | null): RunThread | null {
  return thread === null || thread.metadata === null ? thread : { ...thread, metadata: Buffer.from(thread.metadata) };
}

export function keptFeedback(head: FeedbackHead, place: BlockPosition): KeptFeedback {
  return {
    feedbackId: head.feedbackId,
    runId: head.runId,
    createdAtUs: head.createdAtUs,
    comparative: head.comparative,
    thread: keptThread(head.thread ?? null),
    place,
    key: internText(head.key),
    score: head.number,
    label: head.label,
    comment: head.remark,
    error: head.error,
    source: head.sourceType === null ? null : internText(head.sourceType),
  };
}

/** Sorts only if needed: the rows of one upload are already in order. */
function inOrder<T>(items: T[], compare: (a: T, b: T) => number): T[] {
  for (let at = 1; at < items.length; at += 1) if (compare(items[at - 1]!, items[at]!) > 0) return items.sort(compare);
  return items;
}
