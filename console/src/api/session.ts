/** Where the server is, and whom this tab is to it. */

/** Ends with a slash. The page lies one level below it, whatever stands in front of the server. */
export const SERVER = new URL('..', document.baseURI).href;
/** Path of the console without the slash at its end. */
export const BASE = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** How a key is sent: API keys of the server, or what an auth handler of the project reads. */
export type KeyForm = 'x-api-key' | 'bearer';
export interface Key {
  form: KeyForm;
  secret: string;
}

/** Kept for the session of this tab only: the browser forgets it with the tab. */
const KEPT = 'threadmill.key';

let key: Key | null = read();
/** Why the server wants one; null while nobody has to be asked. */
let refusal: string | null = null;
const listeners = new Set<() => void>();

function read(): Key | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Key | null;
  } catch {
    return null;
  }
}

function changed(): void {
  for (const listener of listeners) listener();
}

export const session = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get key(): Key | null {
    return key;
  },
  get refusal(): string | null {
    return refusal;
  },
  /** From now on each request carries it. */
  use(next: Key): void {
    key = next;
    refusal = null;
    sessionStorage.setItem(KEPT, JSON.stringify(next));
    changed();
  },
  forget(): void {
    key = null;
    sessionStorage.removeItem(KEPT);
    changed();
  },
  /** The server said 401. */
  refused(reason: string): void {
    if (refusal === reason) return;
    refusal = reason;
    changed();
  },
};

/** What a request carries: the key of this tab, unless another one is tried. */
export function authHeaders(tried: Key | null = key): Record<string, string> {
  if (tried === null) return {};
  return tried.form === 'bearer' ? { authorization: `Bearer ${tried.secret}` } : { 'x-api-key': tried.secret };
}
