import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, temporaryFolder, testServer, type ServerOptions, type TestServer } from './server.js';
import { CLIENT_ID, CLIENT_SECRET, type IdentityProvider } from './identity-provider.js';

interface Test {
  teardown(callback: () => unknown): void;
}

export const OIDC_ENV = { THREADMILL_OIDC_CLIENT_SECRET: CLIENT_SECRET };

/** `auth.oidc` for a provider: groups give roles, and everybody else is a viewer. */
export function oidcFor({ issuer }: { issuer: string }, more: object = {}): object {
  return {
    issuer,
    client_id: CLIENT_ID,
    roles: { claim: 'groups', admin: ['platform'], operator: ['ops'], reviewer: ['labels'], default: 'viewer' },
    ...more,
  };
}

/** A langgraph.json with one graph and these settings. */
export function signInConfig(t: Test, auth: object, more: object = {}): string {
  const file = join(temporaryFolder(t), 'langgraph.json');
  const graphs = { chat: `${join(ROOT, 'test/graphs/chat.ts')}:graph` };
  writeFileSync(file, JSON.stringify({ graphs, auth, ...more }));
  return file;
}

/** A server at which people sign in with the provider. */
export function signInServer(
  t: Test,
  provider: IdentityProvider,
  { oidc = {}, env = {}, ...options }: ServerOptions & { oidc?: object } = {},
): Promise<TestServer> {
  const config = options.config ?? signInConfig(t, { oidc: oidcFor(provider, oidc) });
  return testServer(t, { ...options, config, env: { ...OIDC_ENV, ...env } });
}

/** What a browser does with cookies and redirects; each step is visible. */
export class CookieJar {
  readonly cookies = new Map<string, string>();
  /** All `set-cookie` headers so far. */
  readonly received: string[] = [];

  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0) headers.set('cookie', [...this.cookies].map((pair) => pair.join('=')).join('; '));
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const text of response.headers.getSetCookie()) {
      this.received.push(text);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(text)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return response;
  }

  /** Follows the sign-in from its first step to the address at which the provider sends the browser back. */
  async callbackUrl({ url }: { url: string }, to = ''): Promise<string> {
    const query = to === '' ? '' : `?to=${encodeURIComponent(to)}`;
    const first = await this.send(`${url}/server/sign-in${query}`);
    await first.text();
    const second = await fetch(first.headers.get('location')!, { redirect: 'manual' });
    return second.headers.get('location')!;
  }

  /** Signs in, and returns the path at which the browser ends up. Throws if it is of another origin. */
  async signIn(server: { url: string }, to = ''): Promise<string> {
    return this.finish(await this.callbackUrl(server, to));
  }

  /** The last step of a sign-in: as `signIn`. */
  async finish(callbackUrl: string): Promise<string> {
    const response = await this.send(callbackUrl);
    await response.text();
    const location = new URL(response.headers.get('location')!);
    if (location.origin !== new URL(callbackUrl).origin) throw new Error(`The browser was sent to ${location.href}`);
    return `${location.pathname}${location.search}`;
  }

  /** A request as a page of the console sends it. */
  fromConsole({ url }: { url: string }, path: string, method = 'GET', body?: unknown): Promise<Response> {
    return this.send(`${url}${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(method === 'GET' ? {} : { origin: url }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
}
