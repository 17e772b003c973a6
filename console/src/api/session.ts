/** Address of the server, and the credential of this tab. */

/** Ends with a slash. The console is one level below it, also behind a proxy with a path prefix. */
export const SERVER_URL = new URL('..', document.baseURI).href;
/** Path of the console, without a trailing slash. */
export const CONSOLE_PATH = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** Header that carries the secret: `x-api-key` for API keys, `bearer` for tokens of the project's auth handler. */
export type CredentialKind = 'x-api-key' | 'bearer';
export interface Credential {
  form: CredentialKind;
  secret: string;
}

/** Key in session storage, which the browser clears when the tab closes. */
const STORAGE_KEY = 'threadmill.key';

let current: Credential | null = readStored();
/** Text of the last 401 response; null if no credential has to be requested. */
let unauthorizedMessage: string | null = null;
const listeners = new Set<() => void>();

function readStored(): Credential | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Credential | null;
  } catch {
    return null;
  }
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

export const session = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get credential(): Credential | null {
    return current;
  },
  get unauthorizedMessage(): string | null {
    return unauthorizedMessage;
  },
  /** Sends this credential with every further request. */
  setCredential(next: Credential): void {
    current = next;
    unauthorizedMessage = null;
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(next));
    notifyListeners();
  },
  clearCredential(): void {
    current = null;
    sessionStorage.removeItem(STORAGE_KEY);
    notifyListeners();
  },
  /** Records a 401 response, so that the page requests a credential. */
  reportUnauthorized(reason: string): void {
    if (unauthorizedMessage === reason) return;
    unauthorizedMessage = reason;
    notifyListeners();
  },
};

/** Headers for the credential of this tab, or for another one that is being checked. */
export function authHeaders(candidate: Credential | null = current): Record<string, string> {
  if (candidate === null) return {};
  return candidate.form === 'bearer'
    ? { authorization: `Bearer ${candidate.secret}` }
    : { 'x-api-key': candidate.secret };
}
