import { isDeepStrictEqual } from 'node:util';
import type { Project } from './config.js';

/** Keys of langgraph.json that are read at the start only, and where they are in a project. */
const FIXED: readonly (readonly [key: string, of: (project: Project) => unknown])[] = [
  ['audit', ({ audit }) => audit],
  ['auth.oidc', ({ oidc }) => oidc],
  ['backups', ({ backups }) => backups],
  ['checkpointer', ({ threadTtl }) => threadTtl],
  ['http.allowed_hosts', ({ allowedHosts }) => allowedHosts],
  ['http.cors', ({ cors }) => cors],
  ['http.public_shares', ({ publicShares }) => publicShares],
  ['state_budget', ({ stateBudget }) => stateBudget],
  ['store', ({ store }) => store],
  ['traces', ({ traces }) => traces],
  // Without the function that makes errors.
  ['webhooks', ({ webhooks: { problem: _, ...webhooks } }) => webhooks],
];

/** The keys that have changed since the start, and whose changes a reload does not apply. */
export function keysThatNeedRestart(started: Project, changed: Project): string[] {
  return FIXED.filter(([, of]) => !isDeepStrictEqual(of(started), of(changed))).map(([key]) => key);
}
