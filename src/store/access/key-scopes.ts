import {
  BACK_UP,
  DEPLOY_CODE,
  IMPORT_THREADS,
  MANAGE_KEYS,
  MANAGE_NODES,
  READ_AUDIT,
  READ_CODE,
  READ_METRICS,
  OPERATOR_ACTIONS,
  READ_SERVER,
  VERBS,
} from '../../domain/actions.js';
import { RESOURCES, type Resource } from '../../domain/caller.js';
import { ROLES, SCOPES_OF_ROLE, type Role } from '../../domain/roles.js';

type Action = (typeof VERBS)[number];
/** Gives feedback and works on annotation queues, which `experiments` includes. */
export const REVIEWS = 'reviews';
/** What a request requires, such as `threads:create_run`. */
export type Permission = `${Resource}:${Action}` | (typeof OPERATOR_ACTIONS)[number] | typeof REVIEWS;

/** Default scopes of a key: it may do everything. */
export const ALL_SCOPES: readonly string[] = ['*'];

/** Scope names for groups of scopes. */
const SHORTHANDS: Readonly<Record<string, readonly string[]>> = { read: ['*:read', '*:search'] };

const KNOWN_SCOPES: ReadonlySet<string> = new Set([
  '*',
  ...Object.keys(SHORTHANDS),
  ...RESOURCES,
  REVIEWS,
  ...OPERATOR_ACTIONS,
  ...[...RESOURCES, '*'].flatMap((resource) => VERBS.map((action) => `${resource}:${action}`)),
]);

/** List of scopes for error messages. */
export const SCOPES_TEXT =
  `* (everything), read (*:read and *:search), a resource (${RESOURCES.join(', ')}), <resource>:<action> or ` +
  `*:<action>, with the actions ${VERBS.join(', ')}; ${REVIEWS} (feedback and annotation queues), ` +
  `${READ_METRICS} (/metrics), ` +
  `${READ_SERVER} (queue, storage and nodes), ${READ_CODE} (the code of graphs), ${DEPLOY_CODE} (load new code), ${MANAGE_KEYS} (create and revoke keys), ` +
  `${MANAGE_NODES} (drain nodes of a cluster), ${READ_AUDIT} (the audit log), ` +
  `${BACK_UP} (back up everything), or ${IMPORT_THREADS} (import threads from files)`;

export function isScope(text: string): boolean {
  return KNOWN_SCOPES.has(text);
}

/** All permissions that scopes can grant. */
const PERMISSIONS: readonly Permission[] = [
  ...RESOURCES.flatMap((resource) => VERBS.map((action): Permission => `${resource}:${action}`)),
  ...OPERATOR_ACTIONS,
  REVIEWS,
];

/**
 * True if `scopes` grant everything that `other` grants. `*` also includes scopes of later versions, and a scope
 * that this version does not know may grant anything. Only `*` or the same scope covers those.
 */
export function covers(scopes: readonly string[], other: string): boolean {
  if (scopes.includes('*') || scopes.includes(other)) return true;
  return (
    other !== '*' &&
    isScope(other) &&
    PERMISSIONS.every((permission) => !allows([other], permission) || allows(scopes, permission))
  );
}

/** True if one of the scopes grants the permission. A scope that this version does not know grants nothing. */
export function allows(scopes: readonly string[], permission: Permission): boolean {
  const [resource, action] = permission.split(':') as [Resource, Action];
  if (permission === REVIEWS) return ['*', REVIEWS, 'experiments'].some((scope) => scopes.includes(scope));
  const matches = (scope: string): boolean =>
    scope === '*' || scope === resource || scope === permission || scope === `*:${action}`;
  return scopes.some(
    (scope) => matches(scope) || (Object.hasOwn(SHORTHANDS, scope) && SHORTHANDS[scope]!.some(matches)),
  );
}

/**
 * Every permission that the scopes do not grant, with the lowest role that has it. The console disables the controls
 * that need one of them.
 */
export function missingPermissions(scopes: readonly string[]): Partial<Record<Permission, Role>> {
  return Object.fromEntries(
    PERMISSIONS.filter((permission) => !allows(scopes, permission)).map((permission) => [
      permission,
      ROLES.find((role) => allows(SCOPES_OF_ROLE[role], permission))!,
    ]),
  );
}
