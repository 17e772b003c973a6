import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log/log.js';
import type { Config } from '../config/config.js';
import { SignInThread } from '../pool/sign-in-thread.js';
import type { Audit } from '../services/access/audit.js';
import { SignIn, settingsOf } from '../services/access/sign-in.js';
import { Sessions } from '../store/access/sessions.js';
import type { Stores } from '../store/stores.js';
import type { Closers } from './closers.js';

/** Sign-in, and the callbacks for sessions that end. */
export interface OpenSignIn {
  signIn: SignIn;
  onEnded: (callback: (sessionIds: readonly string[]) => void) => void;
}

/** Null without `auth.oidc`. The provider is not asked before somebody signs in. */
export async function openSignIn(
  { config, stores, clock, audit, logs }: { config: Config; stores: Stores; clock: Clock; audit: Audit; logs: Log },
  closers: Closers,
): Promise<OpenSignIn | null> {
  const { oidc } = config.project;
  if (oidc === null) return null;
  const log = logs.forModule('auth');
  const callbacks: ((sessionIds: readonly string[]) => void)[] = [];
  const sessions = await Sessions.open({
    store: stores.store,
    nowMs: () => clock.nowMs(),
    settings: createHash('sha256').update(settingsOf(oidc)).digest('base64url'),
    onEnded: (ids) => callbacks.forEach((callback) => callback(ids)),
    onProblem: (error) => log.error({ err: error }, 'expired sessions could not be removed'),
  });
  closers.add(() => sessions.close());
  const { issuer, clientId, scopes, roleClaim, roleValues, defaultRole, allowedDomains } = oidc;
  const rules = { roleClaim, roleValues, defaultRole, allowedDomains };
  const thread = new SignInThread({ issuer, clientId, clientSecret: config.oidcSecret!, scopes, rules }, log);
  closers.add(() => thread.close());
  const signIn = new SignIn({
    rules,
    providerName: oidc.name,
    sessionMs: oidc.sessionMs,
    thread,
    sessions,
    seal: stores.seal,
    clock,
    audit,
    log,
    publicUrl: config.publicUrl,
    mountPrefix: config.api.mountPrefix,
    hasTls: config.tls !== null,
  });
  return { signIn, onEnded: (callback) => callbacks.push(callback) };
}
