import type { Resource } from './caller.js';

/** Verbs of actions on records. `create_run` applies to threads only. */
export const VERBS = ['create', 'read', 'update', 'delete', 'search', 'create_run'] as const;

/** Actions on the server itself, for its operator. Users of an auth handler never have them. */
export const READ_METRICS = 'metrics:read';
/**
 * Backs up everybody's records. No scope shorthand includes it, because it grants far more than reading within
 * scopes.
 */
export const BACK_UP = 'server:backup';
/** Imports threads from files, whose content graphs deserialize into objects. */
export const IMPORT_THREADS = 'server:import';
/** Reads the run queue, the storage sizes and the nodes, which show ids and sizes of everybody's records. */
export const READ_SERVER = 'server:read';
/** Reads the code of the graphs. No scope shorthand includes it, because code may contain secrets. */
export const READ_CODE = 'server:code';
/** Loads other code of the graphs from the server's disk. No scope shorthand includes it. */
export const DEPLOY_CODE = 'server:deploy';
/** Creates and revokes keys. Nobody can grant permissions that they do not have. */
export const MANAGE_KEYS = 'server:keys';
/** Reads the audit log, which names people and their addresses. */
export const READ_AUDIT = 'server:audit';
/** Takes nodes of a cluster out of service and puts them back. */
export const MANAGE_NODES = 'server:nodes';
export const OPERATOR_ACTIONS = [
  READ_METRICS,
  READ_SERVER,
  READ_CODE,
  DEPLOY_CODE,
  MANAGE_KEYS,
  MANAGE_NODES,
  READ_AUDIT,
  BACK_UP,
  IMPORT_THREADS,
] as const;
type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/** True for actions of the server's operator, for which no auth handler is called. */
export function isForOperators(action: Action): action is OperatorAction {
  return (OPERATOR_ACTIONS as readonly Action[]).includes(action);
}

/**
 * The action of a route on a kind of record: `threads:create_run`, `assistants:read` (agent-server.md, 17.3).
 * Every route has one, which access handlers and key scopes use. `public` explicitly allows everybody.
 */
export type Action =
  | 'public'
  | OperatorAction
  | `${'assistants' | 'crons' | EvaluationKind}:${Verb}`
  | `threads:${Verb | 'create_run'}`
  | `store:${StoreVerb}`;

type Verb = Exclude<(typeof VERBS)[number], 'create_run'>;
/** Verbs of long-term memory, as access handlers receive them. */
type StoreVerb = 'put' | 'get' | 'delete' | 'search' | 'list_namespaces';
type EvaluationKind = 'datasets' | 'examples' | 'experiments' | 'evaluation_runs' | 'feedback';

/** Access to a dataset includes its examples; access to an experiment includes its runs and feedback. */
const EVALUATION: readonly Resource[] = ['datasets', 'experiments'];

const AGENT_KINDS: ReadonlySet<string> = new Set<Resource>(['assistants', 'threads', 'crons', 'store']);

/** Scope verbs for the verbs that only long-term memory has. */
const SCOPE_VERBS: Readonly<Record<string, Verb>> = { put: 'update', get: 'read', list_namespaces: 'search' };

export function splitAction(action: Action): { kind: string; verb: string } {
  const colon = action.indexOf(':');
  return { kind: action.slice(0, colon), verb: action.slice(colon + 1) };
}

const READING_VERBS = new Set(['read', 'get', 'search', 'list_namespaces']);

/** False for actions that leave all records as they are. */
export function changesData(action: Action): boolean {
  const readsOnly: readonly Action[] = ['public', BACK_UP, READ_AUDIT, READ_CODE];
  return !readsOnly.includes(action) && !READING_VERBS.has(splitAction(action).verb);
}

/** Kinds of records that the filter of an action applies to. */
export function resourcesOf(action: Action): readonly Resource[] {
  const { kind } = splitAction(action);
  return action === 'public' ? [] : AGENT_KINDS.has(kind) ? [kind as Resource] : EVALUATION;
}

/** The key scope that an action requires. A dependent record uses the scope of the record it belongs to. */
export function permissionOf(action: Exclude<Action, 'public'>): `${Resource}:${Verb | 'create_run'}` | OperatorAction {
  if (isForOperators(action)) return action;
  const { kind, verb } = splitAction(action);
  const resource =
    kind === 'examples'
      ? 'datasets'
      : kind === 'evaluation_runs' || kind === 'feedback'
        ? 'experiments'
        : (kind as Resource);
  return `${resource}:${SCOPE_VERBS[verb] ?? (verb as Verb | 'create_run')}`;
}
