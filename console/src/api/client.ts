import { Client } from '@langchain/langgraph-sdk';
import { fetchWithKey } from './http.js';
import { SERVER } from './session.js';

const apiUrl = SERVER.replace(/\/$/, '');

/** The stock SDK, as everyone else uses it. It is asked with the key that the tab has at that moment. */
export const client = new Client({
  apiUrl,
  apiKey: null,
  callerOptions: { fetch: fetchWithKey as typeof fetch, maxRetries: 0 },
});

/**
 * The same for streams whose reader comes back by itself: without `Location` the SDK does not reconnect behind its back, and
 * the page can say that the connection is gone.
 */
export const streamClient = new Client({
  apiUrl,
  apiKey: null,
  callerOptions: { fetch: fetchOnce as typeof fetch, maxRetries: 0 },
});

async function fetchOnce(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { body, status, statusText, headers } = await fetchWithKey(input, init);
  const kept = new Headers(headers);
  kept.delete('location');
  return new Response(body, { status, statusText, headers: kept });
}
