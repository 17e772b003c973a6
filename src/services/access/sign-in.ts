import { fail } from '../../base/errors.js';
import type { Clock } from '../../base/clock.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { isLoopback } from '../../base/loopback.js';
import type { AuditActor } from '../../domain/audit.js';
import { personCaller, type Caller } from '../../domain/caller.js';
import { ROLES } from '../../domain/roles.js';
import { decideRole, type Person, type RefusalReason, type SignInRules } from '../../domain/sign-in.js';
import type { SignInThread } from '../../pool/sign-in-thread.js';
import type { SessionRecord, Sessions } from '../../store/access/sessions.js';
import type { Seal } from '../../store/encryption/seal.js';
import type { SignInSecrets } from '../../wire/sign-in.js';
import { NOBODY_KNOWN, type Audit, type Origin } from './audit.js';
import { returnPath } from './return-path.js';
import { isSameOrigin } from './same-origin.js';
import { readCookie, removeCookie, setCookie } from './session-cookies.js';

type Headers = Readonly<Record<string, string>>;

/** Why a sign-in failed, in the address of the console, which has a sentence for each. */
export type SignInFailure = RefusalReason | 'cancelled' | 'expired' | 'invalid' | 'unreachable';

/** Where a browser goes next, and the values of `set-cookie`. */
export interface SignInStep {
  location: string;
  cookies: readonly string[];
}

export interface SignInOptions {
  rules: SignInRules;
  /** Shown on the button. */
  providerName: string;
  sessionMs: number;
  thread: Pick<SignInThread, 'run'>;
  sessions: Sessions;
  seal: Seal;
  clock: Clock;
  audit: Audit;
  log: Logger;
  /** LANGGRAPH_API_URL; null: the address that the browser uses. */
  publicUrl: string | null;
  mountPrefix: string;
  hasTls: boolean;
}

/** The address at which a browser reaches the server. */
interface Site {
  /** Without a slash at its end. */
  base: string;
  origin: string;
  secure: boolean;
}

/** An unfinished sign-in, which the browser keeps sealed in a cookie: so nothing of it grows here. */
interface PendingSignIn {
  secrets: SignInSecrets;
  redirectUrl: string;
  returnTo: string;
  untilMs: number;
}

const CALLBACK_PATH = '/server/sign-in/callback';
const PENDING_USE = 'sign-in';
const HOST = /^(\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;

/** Sign-in of people with an identity provider (OpenID Connect), and the sessions of their browsers. */
export class SignIn {
  readonly #options: SignInOptions;
  /** Finished sign-ins by their state, with the time until which their cookies are valid. */
  readonly #finished = new Map<string, number>();

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  get providerName(): string {
    return this.#options.providerName;
  }

  /** All valid sessions, oldest first. */
  sessions(): SessionRecord[] {
    return this.#options.sessions.list();
  }

  /** Sends a browser to the provider. `wanted`: the path in the console to return to. Throws SIGN_IN_ADDRESS. */
  async begin(headers: Headers, wanted: string | null, origin: Origin): Promise<SignInStep> {
    const { thread, seal, clock } = this.#options;
    const site = this.#requireSite(headers);
    const redirectUrl = `${site.base}${CALLBACK_PATH}`;
    const result = await thread.run({ type: 'begin', redirectUrl });
    if (result.type !== 'begun')
      return this.#failed(site, origin, { reason: 'unreachable', why: result.type === 'finished' ? '' : result.why });
    const pending: PendingSignIn = {
      secrets: result.secrets,
      redirectUrl,
      returnTo: returnPath(wanted),
      untilMs: clock.nowMs() + LIMITS.signInMs,
    };
    const sealed = seal.sealText(JSON.stringify(pending), PENDING_USE);
    const cookie = setCookie('signIn', sealed, { secure: site.secure, lifetimeMs: LIMITS.signInMs });
    return { location: result.url, cookies: [cookie] };
  }

  /**
   * Receives a browser that comes back from the provider with `query`. It gets a new session, and loses the one that it
   * had. Throws SIGN_IN_ADDRESS.
   */
  async finish(headers: Headers, query: string, origin: Origin): Promise<SignInStep> {
    const { thread, sessions, rules, sessionMs, audit, log } = this.#options;
    const site = this.#requireSite(headers);
    const pending = this.#takePending(headers, query, site);
    if (pending === null)
      return this.#failed(site, origin, {
        reason: 'expired',
        why: 'it is too old, was finished already, or began in another browser',
      });
    const { secrets, redirectUrl, returnTo } = pending;
    const result = await thread.run({ type: 'finish', callbackUrl: `${redirectUrl}?${query}`, secrets });
    if (result.type === 'begun') throw new Error('the sign-in thread did not finish a sign-in');
    if (result.type !== 'finished') return this.#failed(site, origin, { reason: result.type, why: result.why });
    const { person } = result;
    const role = decideRole(person, rules);
    if (role === 'domain' || role === 'role') {
      const what = role === 'domain' ? 'has no verified address of an allowed domain' : 'has no role';
      return this.#failed(site, origin, {
        reason: role,
        why: `${person.subject} ${what}`,
        actor: actorOfPerson(person),
      });
    }
    const before = this.#sessionOf(headers, site);
    if (before !== null) await sessions.end(before.sessionId);
    const { subject, name, email } = person;
    const { record, token } = await sessions.create({ subject, name, email, role }, sessionMs);
    await audit.signIn(actorOfPerson(person), origin, null);
    log.info({ person: subject, role, sessionId: record.sessionId }, 'signed in');
    return {
      location: `${site.base}/console/${returnTo}`,
      cookies: [
        setCookie('session', token, { secure: site.secure, lifetimeMs: sessionMs }),
        removeCookie('signIn', site.secure),
      ],
    };
  }

  /** Ends the session of the browser, and returns the values of `set-cookie`. Throws SESSION_ORIGIN. */
  async signOut(method: string, headers: Headers, origin: Origin): Promise<readonly string[]> {
    const caller = this.callerOf(method, headers);
    const sessionId = caller?.sessionId ?? null;
    if (caller !== null && sessionId !== null)
      await this.#options.audit.signOut(caller, origin, () => this.end(sessionId));
    const site = this.#siteOf(headers);
    return site === null ? [] : [removeCookie('session', site.secure)];
  }

  /** Ends a session. False if it does not exist. */
  async end(sessionId: string): Promise<boolean> {
    const found = await this.#options.sessions.end(sessionId);
    if (found) this.#options.log.info({ sessionId }, 'a session was ended');
    return found;
  }

  /**
   * The person whose session a request has; null without a valid session. Throws SESSION_ORIGIN if another page than
   * the server's own may have sent it.
   */
  callerOf(method: string, headers: Headers): Caller | null {
    if (headers['cookie'] === undefined) return null;
    const site = this.#siteOf(headers);
    const session = site === null ? null : this.#sessionOf(headers, site);
    if (session === null) return null;
    if (!isSameOrigin(method, headers, site!.origin)) throw fail('SESSION_ORIGIN', { origin: site!.origin });
    return personCaller(session, session.sessionId);
  }

  #sessionOf(headers: Headers, { secure }: Site): SessionRecord | null {
    const token = readCookie(headers['cookie'], 'session', secure);
    return token === null ? null : this.#options.sessions.check(token);
  }

  /** The sign-in that the browser began, once. */
  #takePending(headers: Headers, query: string, { secure }: Site): PendingSignIn | null {
    const { seal, clock } = this.#options;
    const sealed = readCookie(headers['cookie'], 'signIn', secure);
    const text = sealed === null ? null : seal.openText(sealed, PENDING_USE);
    if (text === null) return null;
    const pending = JSON.parse(text) as PendingSignIn;
    const { state } = pending.secrets;
    const nowMs = clock.nowMs();
    // The cookie shows that this browser began it: nobody can be signed in with the code of somebody else.
    if (new URLSearchParams(query).get('state') !== state || nowMs >= pending.untilMs) return null;
    if (this.#finished.has(state)) return null;
    for (const [other, untilMs] of this.#finished) {
      if (untilMs > nowMs && this.#finished.size < LIMITS.signInsRememberedMax) break;
      this.#finished.delete(other);
    }
    this.#finished.set(state, pending.untilMs);
    return pending;
  }

  async #failed(
    { base, secure }: Site,
    origin: Origin,
    { reason, why, actor = NOBODY_KNOWN }: { reason: SignInFailure; why: string; actor?: AuditActor },
  ): Promise<SignInStep> {
    await this.#options.audit.signIn(actor, origin, reason);
    this.#options.log.warn({ reason }, `a sign-in failed: ${why}`);
    return { location: `${base}/console/?sign_in_error=${reason}`, cookies: [removeCookie('signIn', secure)] };
  }

  #requireSite(headers: Headers): Site {
    const site = this.#siteOf(headers);
    if (site === null) throw fail('SIGN_IN_ADDRESS', undefined);
    return site;
  }

  /** Null if the browser uses an address at which cookies would be sent unencrypted. */
  #siteOf({ host = '' }: Headers): Site | null {
    const { publicUrl, mountPrefix, hasTls } = this.#options;
    if (publicUrl !== null) {
      const { origin, protocol } = new URL(publicUrl);
      return { base: `${publicUrl}${mountPrefix}`, origin, secure: protocol === 'https:' };
    }
    const name = HOST.exec(host.toLowerCase())?.[1];
    if (name === undefined || (!hasTls && !isLoopback(name))) return null;
    const origin = `${hasTls ? 'https' : 'http'}://${host.toLowerCase()}`;
    return { base: `${origin}${mountPrefix}`, origin, secure: hasTls };
  }
}

function actorOfPerson({ subject, name }: Pick<Person, 'subject' | 'name'>): AuditActor {
  return { kind: 'person', id: subject, name };
}

/** A text that differs if the settings of sign-in do: sessions of other settings are not valid. */
export function settingsOf(oidc: SignInRules & { issuer: string; clientId: string }): string {
  const { issuer, clientId, roleClaim, roleValues, defaultRole, allowedDomains } = oidc;
  const values = ROLES.map((role) => roleValues[role] ?? null);
  return JSON.stringify([issuer, clientId, roleClaim, values, defaultRole, allowedDomains]);
}

/** A session as the API shows it. */
export function sessionJson(record: SessionRecord): Record<string, unknown> {
  return {
    session_id: record.sessionId,
    subject: record.subject,
    name: record.name,
    email: record.email,
    role: record.role,
    created_at: new Date(record.createdAtMs).toISOString(),
    expires_at: new Date(record.expiresAtMs).toISOString(),
  };
}
