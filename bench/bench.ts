import type { Workbench } from './workbench.js';

/** One line of the results: what was promised and what was measured, side by side. */
export interface Row {
  what: string;
  ours: string;
  /** Null when nothing else was measured: the budget is a number of ours alone. */
  reference: string | null;
  /** Ours by reference, or as the budget says it. */
  ratio: string | null;
  budget: string;
  /** Null: met. Else by how much not. */
  missed: string | null;
  /** Two lines: what was done, and what was checked. */
  method: [string, string];
  /** What explains the figure, such as the CPU that it took. */
  evidence?: string | null;
}

/** A bench has the same code for a smoke run inside the tests (ours only, small) and for the real one. */
export interface Bench<P extends object = object> {
  name: string;
  description: string;
  smoke: P;
  real: P;
  run(bench: Workbench, params: P): Promise<Row[]>;
}

export function defineBench<P extends object>(bench: Bench<P>): Bench {
  return bench as unknown as Bench;
}

/** Checks that count as the bench's result: a wrong answer makes every figure worthless. */
export function verify(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`The bench's answers are wrong: ${what}`);
}

export function atLeast(value: number | null, limit: number): string | null {
  if (value === null || value >= limit) return null;
  return `${percent(1 - value / limit)} below`;
}

export function atMost(value: number | null, limit: number): string | null {
  if (value === null || value <= limit) return null;
  return `${percent(value / limit - 1)} above`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}
