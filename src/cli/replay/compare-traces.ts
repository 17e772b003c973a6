import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/json/json.js';
import type { TraceStep } from './trace-steps.js';

export type ComparedField = 'inputs' | 'outputs' | 'error';

/** A step that differs between a run and its replay. */
export interface StepDifference {
  /** Names of the step's ancestors and of the step itself. */
  path: string[];
  runType: string;
  /** Node of the graph that the step is a part of. Null: the step belongs to the graph as a whole. */
  node: string | null;
  kind: 'changed' | 'missing' | 'added';
  /** For a changed step: what differs, with the value before and after. */
  field: ComparedField | null;
  before: unknown;
  after: unknown;
}

export interface TraceComparison {
  equal: number;
  /** Changed, missing and added steps, as they began. Ancestors of a difference come after it. */
  differences: StepDifference[];
}

interface Tree {
  step: TraceStep;
  children: Tree[];
}

/**
 * Compares the steps of a run and its replay. Siblings are paired by name and type in their order, so steps that
 * execute at the same time may begin in another order. Ids, which are new in each run, and stacks of errors do not
 * count.
 */
export function compareTraces(before: readonly TraceStep[], after: readonly TraceStep[]): TraceComparison {
  const result: TraceComparison = { equal: 0, differences: [] };
  const [old, replayed] = [treeOf(before), treeOf(after)];
  if (old !== null && replayed !== null) comparePair(old, replayed, [], result);
  return result;
}

function treeOf(steps: readonly TraceStep[]): Tree | null {
  const byId = new Map(steps.map((step) => [step.id, { step, children: [] } as Tree]));
  let root: Tree | null = null;
  for (const tree of byId.values()) {
    const { parent_run_id: parentId } = tree.step;
    if (parentId === null) root ??= tree;
    else byId.get(parentId)?.children.push(tree);
  }
  return root;
}

function comparePair(before: Tree, after: Tree, parents: readonly string[], result: TraceComparison): void {
  const path = [...parents, before.step.name];
  const [input, ...later] = fieldDifferences(before.step, after.step);
  // A node that gets other inputs explains what its children do; other outputs are explained by them.
  const first = input?.field === 'inputs' ? input : null;
  if (first !== null && parents.length > 0) result.differences.push({ ...first, path });
  compareChildren(before.children, after.children, path, result);
  const rest = first === null ? [...(input === undefined ? [] : [input]), ...later] : later;
  for (const one of rest) result.differences.push({ ...one, path });
  if (first !== null && parents.length === 0) result.differences.push({ ...first, path });
  if (input === undefined) result.equal += 1;
}

function compareChildren(before: Tree[], after: Tree[], path: readonly string[], result: TraceComparison): void {
  const waiting = new Map<string, Tree[]>();
  const kindOf = ({ step }: Tree): string => `${step.run_type} ${step.name}`;
  for (const tree of after) waiting.set(kindOf(tree), [...(waiting.get(kindOf(tree)) ?? []), tree]);
  for (const tree of before) {
    const partner = waiting.get(kindOf(tree))?.shift();
    if (partner === undefined) result.differences.push(wholeStep(tree, 'missing', path));
    else comparePair(tree, partner, path, result);
  }
  for (const tree of [...waiting.values()].flat()) result.differences.push(wholeStep(tree, 'added', path));
}

function wholeStep({ step }: Tree, kind: 'missing' | 'added', path: readonly string[]): StepDifference {
  const value = { inputs: step.inputs, outputs: step.outputs };
  return {
    ...{ path: [...path, step.name], runType: step.run_type, node: nodeOf(step), kind, field: null },
    before: kind === 'missing' ? value : null,
    after: kind === 'added' ? value : null,
  };
}

function fieldDifferences(before: TraceStep, after: TraceStep): StepDifference[] {
  return (['inputs', 'error', 'outputs'] as const)
    .filter((field) => !isDeepStrictEqual(comparableValue(before[field], field), comparableValue(after[field], field)))
    .map((field) => ({
      ...{ path: [], runType: before.run_type, node: nodeOf(before), kind: 'changed', field },
      before: before[field],
      after: after[field],
    }));
}

function nodeOf({ extra }: TraceStep): string | null {
  const node = extra?.metadata?.['langgraph_node'];
  return typeof node === 'string' ? node : null;
}

/** UUIDs, and ids of interrupts. */
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/gi;

/** The value with its ids replaced by numbers, in the order in which they occur. */
export function comparableValue(value: unknown, field: ComparedField): unknown {
  if (field === 'error') return typeof value === 'string' ? value.split('\n')[0] : value;
  const numbers = new Map<string, number>();
  const numbered = (text: string): string =>
    text.replace(ID, (id) => {
      if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
      return `id ${numbers.get(id)}`;
    });
  const visit = (one: unknown): unknown => {
    if (typeof one === 'string') return numbered(one);
    if (Array.isArray(one)) return one.map(visit);
    if (!isObject(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [numbered(name), visit(member)]));
  };
  return visit(value);
}
