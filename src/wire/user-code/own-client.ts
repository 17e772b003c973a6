import { addressOf, UNKNOWN_ADDRESS, type OwnServer } from './own-server.js';

/**
 * Makes `new Client()` and `new RemoteGraph()` without a URL reach this server: the SDK asks the two symbols
 * (agent-server.md, section 1). Call it before the user's modules are loaded: they may make clients while they are.
 */
export function offerOwnServer(own: OwnServer): void {
  let loaded: Promise<typeof fetch> | null = null;
  Object.defineProperties(globalThis, {
    [Symbol.for('langgraph_api:url')]: { configurable: true, get: () => addressOf(own) ?? UNKNOWN_ADDRESS },
    [Symbol.for('langgraph_api:fetch')]: {
      configurable: true,
      writable: true,
      // Most threads never call, and need not load an HTTP client for it.
      value: async (input: string | URL | Request, init?: RequestInit) =>
        (await (loaded ??= import('./own-fetch.js').then(({ ownFetch }) => ownFetch(own))))(input, init),
    },
  });
}
