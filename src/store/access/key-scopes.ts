import { BACKUP, IMPORT, KEYS, METRICS, OPERATORS, SERVER, VERBS } from '../../domain/actions.js';
import { RESOURCES, type Resource } from '../../domain/caller.js';

type Action = (typeof VERBS)[number];
/** What a request needs: `threads:create_run`. */
export type Permission = `${Resource}:${Action}` | (typeof OPERATORS)[number];

/** A key that was made without scopes may do everything. */
export const ALL_SCOPES: readonly string[] = ['*'];

/** Scope names that stand for several. */
const SHORTHANDS: Readonly<Record<string, readonly string[]>> = { read: ['*:read', '*:search'] };

const KNOWN: ReadonlySet<string> = new Set([
  '*',
  ...Object.keys(SHORTHANDS),
  ...RESOURCES,
  ...OPERATORS,
  ...[...RESOURCES, '*'].flatMap((resource) => VERBS.map((action) => `${resource}:${action}`)),
]);

/** In words, for whoever is refused. */
export const SCOPES_TEXT = `* (everything), read (*:read and *:search), a resource (${RESOURCES.join(', ')}), <resource>:<action> or *:<action>, with the actions ${VERBS.join(', ')}; ${METRICS} (the figures of /metrics), ${SERVER} (what waits, and how much is stored), ${KEYS} (to make and revoke keys), ${BACKUP} (a copy of everything), or ${IMPORT} (threads from files)`;

export function isScope(text: string): boolean {
  return KNOWN.has(text);
}

/** All that scopes can allow. */
const PERMISSIONS: readonly Permission[] = [
  ...RESOURCES.flatMap((resource) => VERBS.map((action): Permission => `${resource}:${action}`)),
  ...OPERATORS,
];

/**
 * Whether `scopes` allow all that `other` allows. `*` also allows what later versions add, and a word that this version does not know may
 * allow anything: only `*` covers those, or the same word.
 */
export function covers(scopes: readonly string[], other: string): boolean {
  if (scopes.includes('*') || scopes.includes(other)) return true;
  return (
    other !== '*' &&
    isScope(other) &&
    PERMISSIONS.every((permission) => !allows([other], permission) || allows(scopes, permission))
  );
}

/** Whether one of the scopes covers what is asked for. A word that this version does not know covers nothing. */
export function allows(scopes: readonly string[], permission: Permission): boolean {
  const [resource, action] = permission.split(':') as [Resource, Action];
  const matches = (scope: string): boolean =>
    scope === '*' || scope === resource || scope === permission || scope === `*:${action}`;
  return scopes.some(
    (scope) => matches(scope) || (Object.hasOwn(SHORTHANDS, scope) && SHORTHANDS[scope]!.some(matches)),
  );
}
