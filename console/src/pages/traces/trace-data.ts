import { formatCount, formatNumber } from '../../components/format.js';
import { evaluation, type Run } from '../../api/evaluation.js';

/** Pages of 100 steps that a trace shows. */
const PAGES_MAX = 10;
const PAGE_SIZE = 100;
/** Without inputs and outputs, which can be of any size. */
export const STEP_FIELDS: readonly string[] = [
  'parent_run_id',
  'end_time',
  'error',
  'total_tokens',
  'total_cost',
  'first_token_time',
  'extra',
];

/** The steps of a trace, and whether there are more. */
export async function fetchSteps(traceId: string, signal: AbortSignal): Promise<{ runs: Run[]; hasMore: boolean }> {
  const runs: Run[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const found: Awaited<ReturnType<typeof evaluation.runs>> = await evaluation.runs(
      {
        trace: traceId,
        order: 'asc',
        limit: PAGE_SIZE,
        select: STEP_FIELDS,
        ...(cursor === null ? {} : { cursor }),
      },
      signal,
    );
    runs.push(...found.runs);
    cursor = found.cursors.next;
    if (cursor === null) break;
  }
  return { runs, hasMore: cursor !== null };
}

/** Number of tokens. Null if none are known. */
export function tokensText({ total_tokens: tokens }: Pick<Run, 'total_tokens'>): string | null {
  return tokens === null || tokens === 0 ? null : formatCount(tokens);
}

/** A cost in US dollars, which the API sends as a decimal text. Null if it is unknown. */
export function costText({ total_cost: cost }: Pick<Run, 'total_cost'>): string | null {
  return cost === null || Number(cost) === 0 ? null : `$${formatNumber(Number(cost))}`;
}

/** The condition that a step of a trace has this text in its name, inputs, outputs or error. */
export function textCondition(text: string): string | null {
  return text.trim() === '' ? null : `search(${JSON.stringify(text.trim())})`;
}
