import { formatNumber, pluralize } from '../../components/format.js';
import { isMessage } from '../../shared/message-parts.js';

/** What model calls took. */
export interface Usage {
  tokens: number;
  /** US dollars; null if it is unknown. */
  cost: number | null;
}

/** A model call of a trace, as far as its step needs it. Costs are decimal texts. */
export interface RecordedCall {
  total_tokens: number | null;
  total_cost: string | number | null;
  extra: Readonly<Record<string, unknown>> | null;
}

/** The usage of each step by task id. A node with a subgraph has the sum of its steps. */
export function usageByTask(calls: readonly RecordedCall[]): Map<string, Usage> {
  const usages = new Map<string, Usage>();
  for (const { total_tokens: tokens, total_cost: cost, extra } of calls) {
    if (tokens === null || tokens === 0) continue;
    const metadata = (extra?.['metadata'] ?? {}) as Record<string, unknown>;
    const namespace = metadata['langgraph_checkpoint_ns'] ?? metadata['checkpoint_ns'];
    if (typeof namespace !== 'string') continue;
    for (const task of taskIds(namespace)) {
      const before = usages.get(task) ?? { tokens: 0, cost: null };
      usages.set(task, {
        tokens: before.tokens + tokens,
        cost: cost === null ? before.cost : (before.cost ?? 0) + Number(cost),
      });
    }
  }
  return usages;
}

/** The tokens that the messages in the writes of a step name. Null if they name none. */
export function usageOfWrites(writes: unknown): Usage | null {
  let tokens = 0;
  for (const one of Array.isArray(writes) ? writes : [writes]) {
    if (typeof one !== 'object' || one === null) continue;
    for (const value of Object.values(one))
      for (const message of Array.isArray(value) ? value : [value]) {
        if (!isMessage(message)) continue;
        const { usage_metadata: usage } = message as { usage_metadata?: { total_tokens?: unknown } | null };
        if (typeof usage?.total_tokens === 'number') tokens += usage.total_tokens;
      }
  }
  return tokens === 0 ? null : { tokens, cost: null };
}

export function usageText({ tokens, cost }: Usage): string {
  return `${pluralize(tokens, 'token')}${cost === null || cost === 0 ? '' : ` · $${formatNumber(cost)}`}`;
}

/** Task ids of a namespace such as `outer:id|inner:id`. A segment of digits only counts calls. */
function taskIds(namespace: string): string[] {
  return namespace
    .split('|')
    .filter((segment) => segment.includes(':'))
    .map((segment) => segment.slice(segment.indexOf(':') + 1));
}
