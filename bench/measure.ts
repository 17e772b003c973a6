import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** The quantile `q`, from 0 to 1: that share of the values is at or below the result. */
export function quantile(values: readonly number[], q: number): number {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? sorted[0]!;
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export interface Paired<T = number> {
  ours: T[];
  reference: T[];
}

/**
 * Measures both sides alternately, and swaps their order every round. On a shared machine, only measurements close in
 * time are comparable. Without a reference (smoke runs), measures our side alone.
 */
export async function alternate<T = number>(
  rounds: number,
  ours: () => Promise<T>,
  reference: (() => Promise<T>) | null,
): Promise<Paired<T>> {
  const paired: Paired<T> = { ours: [], reference: [] };
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) paired.ours.push(await ours());
    if (reference !== null) paired.reference.push(await reference());
    if (round % 2 === 1) paired.ours.push(await ours());
  }
  return paired;
}

/** Median of the ratios of the rounds; null without a reference. */
export function medianRatio({ ours, reference }: Paired): number | null {
  return reference.length === 0 ? null : median(ours.map((value, round) => value / reference[round]!));
}

/** Median of the differences of the rounds; null without a reference. */
export function medianDifference({ ours, reference }: Paired): number | null {
  return reference.length === 0 ? null : median(ours.map((value, round) => value - reference[round]!));
}

/** CPU time of the threads of a process in microseconds. `busiest`: of the threads besides the main one. */
export interface ThreadsCpu {
  main: number;
  busiest: number;
  rest: number;
}

/** NaN on systems without /proc. */
export function totalCpu(used: ThreadsCpu | null): number {
  return used === null ? NaN : used.main + used.busiest + used.rest;
}

/**
 * CPU time of the threads of a process per unit of work. Unlike wall-clock time it hardly depends on other load on the
 * machine. `work` resolves with the number of units. Null on systems without /proc.
 */
export async function cpuPerUnit(pid: number, work: () => Promise<number>): Promise<ThreadsCpu | null> {
  if (!existsSync(`/proc/${pid}/task`)) return null;
  const before = threadsUs(pid);
  const units = await work();
  const used = [...threadsUs(pid)].map(([thread, us]) => ({ thread, us: (us - (before.get(thread) ?? 0)) / units }));
  const main = used.find(({ thread }) => thread === pid)?.us ?? 0;
  const others = used.filter(({ thread }) => thread !== pid).map(({ us }) => us);
  const busiest = Math.max(0, ...others);
  return { main, busiest, rest: others.reduce((sum, us) => sum + us, 0) - busiest };
}

/**
 * Does the work once as a warm-up. Returns a function that does it again and resolves with the CPU time of all threads
 * per unit.
 */
export async function warmCpuPerUnit(
  pid: number,
  work: () => Promise<number>,
  onMeasured: (used: ThreadsCpu | null) => void = () => undefined,
): Promise<() => Promise<number>> {
  await work();
  return async () => {
    const used = await cpuPerUnit(pid, work);
    onMeasured(used);
    return totalCpu(used);
  };
}

/** CPU time of a process and of its children that have ended, in microseconds. NaN on systems without /proc. */
export function processUs(pid: number): number {
  if (!existsSync(`/proc/${pid}/stat`)) return NaN;
  // utime, stime, cutime and cstime are the 12th to 15th field after the name.
  const fields = statFields(`/proc/${pid}/stat`).slice(11, 15);
  return fields.reduce((sum, field) => sum + Number(field), 0) * TICK_US;
}

/** Fields of a stat file after the name in parentheses, which may contain spaces. */
function statFields(path: string): string[] {
  const stat = readFileSync(path, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The kernel counts CPU time in ticks of 10 ms. */
const TICK_US = 10_000;

function threadsUs(pid: number): Map<number, number> {
  return new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      const fields = statFields(`/proc/${pid}/task/${thread}/stat`);
      return [Number(thread), (Number(fields[11]) + Number(fields[12])) * TICK_US];
    }),
  );
}

export const format = {
  perSecond: (value: number): string => `${whole(value)}/s`,
  ms: (value: number): string => `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ms`,
  /** A difference, with its sign. */
  addedMs: (value: number): string => `${value < 0 ? '' : '+'}${format.ms(value)}`,
  us: (value: number): string => `${value < 100 ? value.toFixed(1) : whole(value)} µs`,
  mb: (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`,
  bytes: (bytes: number): string => `${whole(bytes)} B`,
  ratio: (value: number | null): string | null => (value === null ? null : value.toFixed(value < 10 ? 2 : 1)),
};

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
