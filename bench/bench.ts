import type { Workbench } from './workbench.js';

/** One row of the results: what was measured, and its budget. */
export interface Row {
  what: string;
  ours: string;
  /** The result of the contender; null if the budget applies to our figure alone. */
  reference: string | null;
  /** Our figure divided by the reference, or the comparison that the budget applies to. */
  ratio: string | null;
  budget: string;
  /** By how much the budget is missed; null if it is met. */
  missed: string | null;
  /** Two texts: how it was measured, and which answers were checked. */
  method: [string, string];
  /** Explains the figure, for example by the CPU time used. */
  evidence?: string | null;
  /** The README has this row too. */
  inReadme?: boolean;
}

/** A benchmark. Tests run the same code with the `smoke` parameters: small, and without contenders. */
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

/** Throws if an answer is wrong, because figures for wrong answers are worthless. */
export function verify(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`The bench got a wrong answer: ${what}`);
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
