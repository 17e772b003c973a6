import type { UnrecordedCall } from '../../wire/runs/replay-report.js';
import { printable } from '../client.js';
import { countOf } from '../output/comparison.js';
import { formatTable } from '../output/table.js';
import type { TraceComparison } from './compare-traces.js';
import { titleOf } from './replay.js';
import type { UploadedReplay } from './upload-replay.js';

/** Why a run that ended was not replayed. */
export type SkipReason = 'not_recorded' | 'not_readable' | 'fell_behind' | 'still_waiting';

/** A run and its replay under the new code. */
export interface ShadowedRun {
  runId: string;
  graphId: string;
  /** Of the replay. */
  status: string;
  /** It took longer than --timeout. */
  isCancelled: boolean;
  comparison: TraceComparison;
  unrecorded: readonly UnrecordedCall[];
  upload: UploadedReplay | null;
}

const SHOWN_MAX = 20;
const NAMES_MAX = 1_000;

/** Counts names. Names beyond the first thousand are counted together. */
class NameCounts {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    const key = this.#counts.has(name) || this.#counts.size < NAMES_MAX ? name : 'others';
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The most frequent first. */
  get sorted(): [name: string, count: number][] {
    return [...this.#counts].sort(([, one], [, other]) => other - one);
  }
}

/** Counts the results of a shadow. Its size does not depend on the number of runs. */
export class ShadowTally {
  replayed = 0;
  equal = 0;
  readonly skipped: Record<SkipReason, number> = { not_recorded: 0, not_readable: 0, fell_behind: 0, still_waiting: 0 };
  readonly #differences = new NameCounts();
  readonly #unrecorded = new NameCounts();

  add({ comparison, unrecorded }: ShadowedRun): void {
    this.replayed += 1;
    const [first] = comparison.differences;
    if (first === undefined) this.equal += 1;
    else this.#differences.add(titleOf(first));
    for (const call of unrecorded) this.#unrecorded.add(nameOf(call));
  }

  countSkipped(reason: SkipReason, count = 1): void {
    this.skipped[reason] += count;
  }

  json(isIncomplete: boolean): string {
    const { replayed, equal, skipped } = this;
    return JSON.stringify({
      summary: {
        ...{ replayed, equal, different: replayed - equal },
        first_differences: this.#differences.sorted.map(([step, runs]) => ({ step, runs })),
        unrecorded: this.#unrecorded.sorted.map(([request, times]) => ({ request, times })),
        skipped,
        incomplete: isIncomplete,
      },
    });
  }

  text(isIncomplete: boolean): string {
    const { replayed, equal } = this;
    const reasons = Object.entries(REASONS).flatMap(([reason, text]) => {
      const count = this.skipped[reason as SkipReason];
      return count === 0 ? [] : [`  ${count} ${text}`];
    });
    return [
      `${countOf(replayed, 'run')} replayed: ${equal} equal, ${replayed - equal} different.`,
      ...tableOf('first difference', 'runs', this.#differences),
      ...tableOf('request that was not recorded', 'times', this.#unrecorded),
      ...(reasons.length === 0 ? [] : ['', 'Runs that were not replayed:', ...reasons]),
      ...(isIncomplete ? ['', 'Some runs were not seen, because more executed than are followed.'] : []),
    ].join('\n');
  }
}

const REASONS: Record<SkipReason, string> = {
  not_recorded: 'had no recording ("traces": {"record_calls": ...} in langgraph.json of the server)',
  not_readable: 'could not be read or executed, for example because their threads were deleted',
  fell_behind: 'ended while too many others waited (a smaller --share avoids this)',
  still_waiting: 'still waited at the end',
};

function tableOf(name: string, unit: string, counts: NameCounts): string[] {
  const { sorted } = counts;
  if (sorted.length === 0) return [];
  const shown = sorted.slice(0, SHOWN_MAX).map(([one, count]) => [one, String(count)]);
  const more = sorted.length - shown.length;
  return ['', formatTable([name, unit], shown, new Set([unit])), ...(more > 0 ? [`${more} more are not shown.`] : [])];
}

/** Queries tend to differ in each request. */
function nameOf({ method, url }: UnrecordedCall): string {
  const [address] = url.split('?');
  return method === '' ? address! : `${method} ${address}`;
}

/** One line, and the address of the page that compares both. */
export function shadowedText({ runId, graphId, isCancelled, comparison, unrecorded, upload }: ShadowedRun): string {
  const { equal, differences } = comparison;
  const [first, ...others] = differences;
  const result = [
    first === undefined ? `equal (${countOf(equal, 'step')})` : titleOf(first),
    ...(others.length > 0 ? [`${others.length} more`] : []),
    ...(isCancelled ? ['cancelled by --timeout'] : []),
    ...(unrecorded.length > 0 ? [`${countOf(unrecorded.length, 'request')} not recorded`] : []),
  ].join('; ');
  const page = upload?.console ?? null;
  return printable(`${runId} ${graphId}: ${result}`) + (page === null ? '' : `\n  ${printable(page)}`);
}

export function shadowedJson(run: ShadowedRun): string {
  const { runId, graphId, status, isCancelled, comparison, unrecorded, upload } = run;
  return JSON.stringify({
    ...{ run_id: runId, graph_id: graphId, status, cancelled: isCancelled },
    equal_steps: comparison.equal,
    differences: comparison.differences.length,
    first_difference: comparison.differences[0] ?? null,
    ...{ unrecorded, upload },
  });
}
