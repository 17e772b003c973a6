import type { JsonSchema } from '../schema/model.js';

/** Actions that need approval: requests of LangChain's humanInTheLoopMiddleware or of the older agent inbox. */
export interface Review {
  actions: ReviewedAction[];
  /** The resume value of the run, from one decision per action. */
  answer(decisions: readonly Decision[]): unknown;
}

export interface ReviewedAction {
  name: string;
  args: unknown;
  /** Schema of the arguments; null if the request has none. */
  argsSchema: JsonSchema | null;
  description: string | null;
  /** Decision names of the request: approve, edit, reject, respond; in the agent inbox accept, ignore, response. */
  allowed: readonly string[];
}

export interface Decision {
  kind: string;
  args: unknown;
  message: string;
}

type Fields = Readonly<Record<string, unknown>>;

const DECISION_NAMES: Readonly<Record<string, string>> = {
  approve: 'Approve',
  accept: 'Accept',
  edit: 'Edit',
  reject: 'Reject',
  ignore: 'Ignore',
  respond: 'Respond',
  response: 'Respond',
};

export function decisionName(kind: string): string {
  return DECISION_NAMES[kind] ?? kind;
}

export const EDIT = 'edit';
/** Decisions with a message, which is required except for `reject`. */
export const DECISIONS_WITH_MESSAGE: readonly string[] = ['reject', 'respond', 'response'];

/** Returns null if the value is no review request. */
export function reviewOf(value: unknown): Review | null {
  return middlewareReview(value) ?? inboxReview(value);
}

/** JavaScript uses camelCase properties, Python snake_case. The answer uses the style of the request. */
function middlewareReview(value: unknown): Review | null {
  const fields = fieldsOf(value);
  const snake = Array.isArray(fields?.['action_requests']);
  const requests = fields?.[snake ? 'action_requests' : 'actionRequests'];
  const configs = fields?.[snake ? 'review_configs' : 'reviewConfigs'];
  if (!Array.isArray(requests) || requests.length === 0 || !requests.every((one) => nameOf(one) !== null)) return null;
  const actions = (requests as Fields[]).map((request, at): ReviewedAction => {
    const name = nameOf(request)!;
    const list: unknown[] = Array.isArray(configs) ? configs : [];
    const config = fieldsOf(
      list.find((one) => fieldsOf(one)?.[snake ? 'action_name' : 'actionName'] === name) ?? list[at],
    );
    const allowed: unknown = config?.[snake ? 'allowed_decisions' : 'allowedDecisions'];
    return {
      name,
      args: request['args'] ?? request['arguments'] ?? {},
      argsSchema: fieldsOf(config?.[snake ? 'args_schema' : 'argsSchema']),
      description: nonEmptyText(request['description']),
      allowed: Array.isArray(allowed) ? allowed.map(String) : ['approve', 'edit', 'reject'],
    };
  });
  // Without allowed decisions the answer is entered as JSON.
  if (actions.some(({ allowed }) => allowed.length === 0)) return null;
  return {
    actions,
    answer: (decisions) => ({
      decisions: decisions.map(({ kind, args, message }, at) => {
        if (kind === EDIT)
          return { type: kind, [snake ? 'edited_action' : 'editedAction']: { name: actions[at]!.name, args } };
        return DECISIONS_WITH_MESSAGE.includes(kind) && message !== '' ? { type: kind, message } : { type: kind };
      }),
    }),
  };
}

/** The request is a list, or a single object. */
function inboxReview(value: unknown): Review | null {
  const requests = (Array.isArray(value) ? value : [value]).map(fieldsOf);
  if (requests.length === 0) return null;
  const actions = requests.map((request): ReviewedAction | null => {
    const action = fieldsOf(request?.['action_request']);
    const config = fieldsOf(request?.['config']);
    if (typeof action?.['action'] !== 'string' || config === null) return null;
    const allowed = [
      ['allow_accept', 'accept'],
      ['allow_edit', 'edit'],
      ['allow_respond', 'response'],
      ['allow_ignore', 'ignore'],
    ] as const;
    return {
      name: action['action'],
      args: action['args'],
      argsSchema: null,
      description: nonEmptyText(request?.['description']),
      allowed: allowed.flatMap(([name, kind]) => (config[name] === true ? [kind] : [])),
    };
  });
  if (!actions.every((one): one is ReviewedAction => one !== null && one.allowed.length > 0)) return null;
  return {
    actions,
    answer: (decisions) =>
      decisions.map(({ kind, args, message }, at) => ({
        type: kind,
        args: kind === EDIT ? { action: actions[at]!.name, args } : kind === 'response' ? message : null,
      })),
  };
}

function nameOf(request: unknown): string | null {
  const fields = fieldsOf(request);
  return nonEmptyText(fields?.['name'] ?? fields?.['action']);
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function nonEmptyText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
