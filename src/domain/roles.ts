/**
 * What people who sign in may do. Each role includes the ones before it. A role stands for scopes of API keys
 * (docs/auth.md).
 */
export const ROLES = ['viewer', 'reviewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const SCOPES_OF_ROLE: Readonly<Record<Role, readonly string[]>> = Object.freeze({
  viewer: ['read'],
  reviewer: ['read', 'reviews'],
  operator: [
    'read',
    'assistants',
    'threads',
    'crons',
    'store',
    'datasets',
    'experiments',
    'server:import',
    'server:nodes',
  ],
  admin: ['*'],
});

/** The role that allows most; null without any. */
export function highestRole(roles: Iterable<Role>): Role | null {
  const found = new Set(roles);
  return ROLES.findLast((role) => found.has(role)) ?? null;
}
