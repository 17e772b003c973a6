/** Requests of LangChain for a person's decision, in the forms of JavaScript and Python, and what answers them. */

export type Decision = 'approve' | 'edit' | 'reject';

export interface Request {
  name: string;
  args: unknown;
  description: string | null;
  allowed: readonly Decision[];
}

export interface Asked {
  requests: readonly Request[];
  /** Who asked in Python's words is answered in them. */
  python: boolean;
}

export interface Decided { decision: Decision; args?: unknown; message?: string }

const ALL: readonly Decision[] = ['approve', 'edit', 'reject'];

/** The decisions that an interrupt asks for; null when it asks something else. */
export function askedFor(value: unknown): Asked | null {
  if (typeof value !== 'object' || value === null) return null;
  const { actionRequests, action_requests: snake, reviewConfigs, review_configs: snakeConfigs } = value as Record<string, unknown>;
  const actions = actionRequests ?? snake;
  if (!Array.isArray(actions) || actions.length === 0) return null;
  const configs = (reviewConfigs ?? snakeConfigs ?? []) as readonly Record<string, unknown>[];
  return {
    python: actionRequests === undefined,
    requests: actions.map((action: unknown): Request => {
      const { name, action: named, args, arguments: given, description } = (action ?? {}) as Record<string, unknown>;
      const title = String(name ?? named ?? 'an action');
      const config = configs.find((one) => (one['actionName'] ?? one['action_name']) === title);
      const allowed = config?.['allowedDecisions'] ?? config?.['allowed_decisions'];
      return { name: title, args: args ?? given ?? {}, description: typeof description === 'string' ? description : null, allowed: Array.isArray(allowed) ? ALL.filter((one) => allowed.includes(one)) : ALL };
    }),
  };
}

/** What the graph is answered. */
export function decisionsOf({ requests, python }: Asked, decided: readonly Decided[]): { decisions: object[] } {
  return {
    decisions: requests.map(({ name }, at) => {
      const { decision, args, message } = decided[at]!;
      if (decision === 'approve') return { type: 'approve' };
      if (decision === 'edit') return { type: 'edit', [python ? 'edited_action' : 'editedAction']: { name, args } };
      return { type: 'reject', ...(message === undefined || message === '' ? {} : { message }) };
    }),
  };
}
