/** What an agent asks a person to look at before it is done: requests of LangChain's humanInTheLoopMiddleware, and of the agent inbox before it. */
export interface Review {
  actions: ReviewedAction[];
  /** What the run goes on with: one decision for each action. */
  answer(decisions: readonly Decision[]): unknown;
}

export interface ReviewedAction {
  name: string;
  args: unknown;
  description: string | null;
  /** In words of the request: `approve`, `edit`, `reject`, `respond`; `accept`, `ignore`, `response` of the inbox. */
  allowed: readonly string[];
}

export interface Decision {
  kind: string;
  args: unknown;
  message: string;
}

type Fields = Readonly<Record<string, unknown>>;

const NAMES: Readonly<Record<string, string>> = {
  approve: 'Approve',
  accept: 'Accept',
  edit: 'Edit',
  reject: 'Reject',
  ignore: 'Ignore',
  respond: 'Respond',
  response: 'Respond',
};

export function decisionName(kind: string): string {
  return NAMES[kind] ?? kind;
}

export const EDITS = 'edit';
/** Decisions that say something; but for `reject` they are nothing without it. */
export const SAYS: readonly string[] = ['reject', 'respond', 'response'];

/** Null: what is asked has another form. */
export function reviewOf(value: unknown): Review | null {
  return middlewareReview(value) ?? inboxReview(value);
}

/** JavaScript writes actionRequests, Python action_requests; each is answered in its own way. */
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
      description: textOr(request['description']),
      allowed: Array.isArray(allowed) ? allowed.map(String) : ['approve', 'edit', 'reject'],
    };
  });
  // Where nothing may be decided, an answer is written as JSON.
  if (actions.some(({ allowed }) => allowed.length === 0)) return null;
  return {
    actions,
    answer: (decisions) => ({
      decisions: decisions.map(({ kind, args, message }, at) => {
        if (kind === EDITS)
          return { type: kind, [snake ? 'edited_action' : 'editedAction']: { name: actions[at]!.name, args } };
        return SAYS.includes(kind) && message !== '' ? { type: kind, message } : { type: kind };
      }),
    }),
  };
}

/** A list of requests, or one of them. */
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
      description: textOr(request?.['description']),
      allowed: allowed.flatMap(([name, kind]) => (config[name] === true ? [kind] : [])),
    };
  });
  if (!actions.every((one): one is ReviewedAction => one !== null && one.allowed.length > 0)) return null;
  return {
    actions,
    answer: (decisions) =>
      decisions.map(({ kind, args, message }, at) => ({
        type: kind,
        args: kind === EDITS ? { action: actions[at]!.name, args } : kind === 'response' ? message : null,
      })),
  };
}

function nameOf(request: unknown): string | null {
  const fields = fieldsOf(request);
  return textOr(fields?.['name'] ?? fields?.['action']);
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
