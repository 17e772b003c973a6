import { serverUrl, PLACEHOLDER_URL, type ServerAddress } from './server-address.js';

/**
 * Connects `new Client()` and `new RemoteGraph()` without a URL to this server, through two symbols that the
 * SDK reads (agent-server.md, section 1). Call it before user modules are loaded, because they may create
 * clients during import.
 */
export function exposeServerToSdk(own: ServerAddress): void {
  let loaded: Promise<typeof fetch> | null = null;
  Object.defineProperties(globalThis, {
    [Symbol.for('langgraph_api:url')]: { configurable: true, get: () => serverUrl(own) ?? PLACEHOLDER_URL },
    [Symbol.for('langgraph_api:fetch')]: {
      configurable: true,
      writable: true,
      // Loaded on the first call: most threads never need an HTTP client.
      value: async (input: string | URL | Request, init?: RequestInit) =>
        (await (loaded ??= import('./server-fetch.js').then(({ createServerFetch }) => createServerFetch(own))))(
          input,
          init,
        ),
    },
  });
}
