import { keys } from '../../src/store/keys.js';
import { blocksOf } from '../../src/store/evaluation/blocks.js';
import type { Reader } from '../../src/store/reader.js';
import { unpackRunHead, type RunHead } from '../../src/wire/evaluation/evaluation-run.js';
import { Facets } from './facets.js';
import { addUsage, byStartDescending } from './list-facts.js';
import type { RunFact } from './run-statistics.js';

/** What statistics need of a list of traces. */
export interface ListTraces {
  /** Newest first. */
  roots: RunFact[];
  facets: Facets;
}

interface Root extends RunFact {
  runId: string;
  runType: string;
}

/**
 * Reads a list in one pass and keeps its roots only. Most runs of traces are steps, and the garbage collector would
 * copy the row of each. Null if the list has scores, or a model call of a trace whose root does not have the trace's
 * id: that takes the rows of all runs (list-facts.ts).
 */
export function tracesOf(reader: Reader, list: number): ListTraces | null {
  const [score] = reader.keys({ prefix: keys.blocks('F', list), limit: 1 });
  if (score !== undefined) return null;
  const facets = new Facets();
  const roots = new Map<string, Root>();
  /** Those that were stored before their root. */
  const early: RunHead[] = [];
  for (const { items } of blocksOf(reader, 'R', list))
    for (const item of items) {
      if (item.byteLength === 0) continue;
      const run = unpackRunHead(item);
      facets.add(run);
      if (run.parentRunId === null) roots.set(run.runId, newRoot(run));
      else if (run.runType === 'llm' && !addCall(roots, run)) early.push(run);
    }
  if (early.some((run) => !addCall(roots, run))) return null;
  return { roots: [...roots.values()].sort(byStartDescending), facets };
}

/** False if the root is unknown. */
function addCall(roots: ReadonlyMap<string, Root>, call: RunHead): boolean {
  const root = roots.get(call.traceId);
  if (root === undefined) return false;
  addUsage(root, call);
  return true;
}

/** The usage of a root is that of the model calls below it, unless it is one itself. */
function newRoot(run: RunHead): Root {
  const isCall = run.runType === 'llm';
  return {
    runId: run.runId,
    runType: run.runType,
    startUs: run.startUs,
    endUs: run.endUs,
    failed: run.failed,
    root: true,
    firstTokenUs: run.firstTokenUs,
    totalTokens: isCall ? run.totalTokens : null,
    promptTokens: isCall ? run.promptTokens : null,
    completionTokens: isCall ? run.completionTokens : null,
    totalCost: isCall ? run.totalCost : null,
    promptCost: isCall ? run.promptCost : null,
    completionCost: isCall ? run.completionCost : null,
    feedback: [],
  };
}
