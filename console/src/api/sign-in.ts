import { fetchJson } from './http.js';
import { CONSOLE_PATH, SERVER_URL } from './session.js';

type Resource = 'assistants' | 'threads' | 'crons' | 'store' | 'datasets' | 'experiments';
type ServerAction = 'read' | 'keys' | 'nodes' | 'audit' | 'backup' | 'import';
/** What a request needs, as docs/auth.md lists it. */
export type Permission =
  | `${Resource}:${'create' | 'read' | 'update' | 'delete' | 'search'}`
  | 'threads:create_run'
  | `server:${ServerAction}`
  | 'metrics:read'
  | 'reviews';

export type RoleName = 'viewer' | 'reviewer' | 'operator' | 'admin';

/** Permissions that the caller does not have, with the lowest role that has each. */
export type NotAllowed = Partial<Record<Permission, RoleName>>;

/** Who uses the console, as far as the server knows. */
export interface Person {
  kind: 'person';
  not_allowed: NotAllowed;
  session_id: string;
  name: string;
  email: string | null;
  role: RoleName;
  expires_at: string;
}

export interface WhoAmI {
  /** Null: people cannot sign in. */
  sign_in: { provider: string } | null;
  caller: Person | { kind: 'key'; name: string; not_allowed: NotAllowed } | { kind: 'anyone' } | null;
}

/** A browser in which a person signed in. */
export interface BrowserSession extends Omit<Person, 'kind' | 'not_allowed'> {
  created_at: string;
}

export const WHO_AM_I = ['server', 'who-am-i'];

export function whoAmI(signal?: AbortSignal): Promise<WhoAmI> {
  return fetchJson<WhoAmI>('server/session', { signal });
}

/** Leaves the page for the identity provider, which leads back to the same place. */
export function signIn(): void {
  const { pathname, search, hash } = location;
  const url = new URL('server/sign-in', SERVER_URL);
  url.searchParams.set('to', `${pathname.slice(CONSOLE_PATH.length)}${search}${hash}`);
  location.assign(url);
}

/** Ends the session of this browser, and loads the page without it. */
export async function signOut(): Promise<void> {
  await fetchJson('server/sign-out', { method: 'POST' });
  location.reload();
}

/** Name in the address, where the server puts the reason of a failed sign-in. */
const FAILURE_PARAMETER = 'sign_in_error';

const FAILURES: Readonly<Record<string, string>> = {
  cancelled: 'The sign-in was cancelled.',
  domain: 'Your account is not of an allowed domain, or its email address is not verified.',
  expired: 'The sign-in took too long, or began in another window. Try again.',
  invalid: "The identity provider's response was not accepted. The server's log has the reason.",
  role: 'Your account has no role on this server. Ask an administrator to give you one.',
  unreachable: 'The identity provider cannot be reached. Try again later.',
};

/** Undefined until the address has been looked at. */
let failure: string | null | undefined;

/**
 * Why the last sign-in failed; null if none did. The address is cleared, and the answer stays the same: React may
 * discard a render and begin it again.
 */
export function signInFailure(): string | null {
  if (failure === undefined) failure = takeFailure();
  return failure;
}

/** Call this when the server has accepted another credential. */
export function forgetSignInFailure(): void {
  failure = null;
}

function takeFailure(): string | null {
  const url = new URL(location.href);
  const reason = url.searchParams.get(FAILURE_PARAMETER);
  if (reason === null) return null;
  url.searchParams.delete(FAILURE_PARAMETER);
  history.replaceState(history.state, '', url);
  return Object.hasOwn(FAILURES, reason) ? FAILURES[reason]! : 'The sign-in failed.';
}
