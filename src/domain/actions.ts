import type { Resource } from './caller.js';

/** All that is done to a record; `create_run` is of threads alone. */
export const VERBS = ['create', 'read', 'update', 'delete', 'search', 'create_run'] as const;

/** What is about the server and nobody's records: for whoever runs it, never for a handler's users. */
export const METRICS = 'metrics:read';
/** Everybody's records at once. No shorthand of scopes covers it: who reads figures, or records within scopes, has not asked for that. */
export const BACKUP = 'server:backup';
/** What a thread's file has is revived as objects by graphs. */
export const IMPORT = 'server:import';
/** What waits and why, and how much is stored of what: everybody's, by ids and sizes. */
export const SERVER = 'server:read';
/** To make and revoke keys. Nobody gives what they do not have. */
export const KEYS = 'server:keys';
export const OPERATORS = [METRICS, SERVER, KEYS, BACKUP, IMPORT] as const;
type OperatorAction = (typeof OPERATORS)[number];

/** For whoever runs the server: no handler is asked. */
export function isForOperators(action: Action): action is OperatorAction {
  return (OPERATORS as readonly Action[]).includes(action);
}

/**
 * What a route does to which kind of record: `threads:create_run`, `assistants:read` (agent-server.md, 17.3). Every route
 * names one, and access handlers and scopes of keys go by it. `public` says aloud that anyone may ask.
 */
export type Action =
  | 'public'
  | OperatorAction
  | `${'assistants' | 'crons' | EvaluationKind}:${Verb}`
  | `threads:${Verb | 'create_run'}`
  | `store:${StoreVerb}`;

type Verb = Exclude<(typeof VERBS)[number], 'create_run'>;
/** What handlers hear of long-term memory, in its own words. */
type StoreVerb = 'put' | 'get' | 'delete' | 'search' | 'list_namespaces';
type EvaluationKind = 'datasets' | 'examples' | 'experiments' | 'evaluation_runs' | 'feedback';

/** Evaluation results hang together: who may see a dataset sees its examples, who may see an experiment its runs and feedback. */
const EVALUATION: readonly Resource[] = ['datasets', 'experiments'];

const AGENT_KINDS: ReadonlySet<string> = new Set<Resource>(['assistants', 'threads', 'crons', 'store']);

/** What a scope calls the verbs that only long-term memory has. */
const SCOPE_VERBS: Readonly<Record<string, Verb>> = { put: 'update', get: 'read', list_namespaces: 'search' };

export function kindOf(action: Action): { kind: string; verb: string } {
  const colon = action.indexOf(':');
  return { kind: action.slice(0, colon), verb: action.slice(colon + 1) };
}

/** Kinds of records that the filter of an action is about. */
export function resourcesOf(action: Action): readonly Resource[] {
  const { kind } = kindOf(action);
  return action === 'public' ? [] : AGENT_KINDS.has(kind) ? [kind as Resource] : EVALUATION;
}

/** The scope of a key that an action needs: of what lies below a record, that of the record's kind. */
export function permissionOf(action: Exclude<Action, 'public'>): `${Resource}:${Verb | 'create_run'}` | OperatorAction {
  if (isForOperators(action)) return action;
  const { kind, verb } = kindOf(action);
  const resource =
    kind === 'examples'
      ? 'datasets'
      : kind === 'evaluation_runs' || kind === 'feedback'
        ? 'experiments'
        : (kind as Resource);
  return `${resource}:${SCOPE_VERBS[verb] ?? (verb as Verb | 'create_run')}`;
}
