/** What a browser keeps: `session` the token of a session, `signIn` what belongs to an unfinished sign-in. */
export type CookieKind = 'session' | 'signIn';

const NAMES: Readonly<Record<CookieKind, string>> = { session: 'threadmill-session', signIn: 'threadmill-sign-in' };

/** A prefix with which browsers accept a cookie only from this host itself, over https and for all paths. */
const HOST_PREFIX = '__Host-';

/** `secure`: the browser uses https. */
function cookieName(kind: CookieKind, secure: boolean): string {
  return `${secure ? HOST_PREFIX : ''}${NAMES[kind]}`;
}

/** The value of a cookie in a `cookie` header. With several of one name, somebody may have added one: null. */
export function readCookie(header: string | undefined, kind: CookieKind, secure: boolean): string | null {
  if (header === undefined) return null;
  const start = `${cookieName(kind, secure)}=`;
  const found = header.split(';').flatMap((part) => {
    const text = part.trim();
    return text.startsWith(start) ? [text.slice(start.length)] : [];
  });
  return found.length === 1 && found[0] !== '' ? found[0]! : null;
}

/**
 * A `set-cookie` header. `Lax`: the navigation that comes back from the provider has the cookies, and no request that
 * another site sends in a page.
 */
export function setCookie(
  kind: CookieKind,
  value: string,
  { secure, lifetimeMs }: { secure: boolean; lifetimeMs: number },
): string {
  const age = Math.max(0, Math.floor(lifetimeMs / 1_000));
  return `${cookieName(kind, secure)}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** A `set-cookie` header that removes it. */
export function removeCookie(kind: CookieKind, secure: boolean): string {
  return setCookie(kind, '', { secure, lifetimeMs: 0 });
}

/** A `cookie` header without these cookies, which no code of the project needs; undefined if nothing is left. */
export function withoutSessionCookies(header: string): string | undefined {
  const kept = header.split(';').filter((part) => !/^ *(?:__Host-)?threadmill-(?:session|sign-in)=/.test(part));
  return kept.length === 0 ? undefined : kept.join(';').trimStart();
}
