import { Client } from '@langchain/langgraph-sdk';
import { fetchWithKey } from './http.js';
import { SERVER_URL } from './session.js';

const apiUrl = SERVER_URL.replace(/\/$/, '');

/** The stock LangGraph SDK. Each request uses the credential that the tab has at that moment. */
export const client = new Client({
  apiUrl,
  apiKey: null,
  callerOptions: { fetch: fetchWithKey as typeof fetch, maxRetries: 0 },
});

/**
 * The same SDK for streams that the page reconnects itself. The `Location` header is removed: with it the SDK would
 * reconnect on its own, and the page could not show that the connection was lost.
 */
export const streamClient = new Client({
  apiUrl,
  apiKey: null,
  callerOptions: { fetch: fetchWithoutLocation as typeof fetch, maxRetries: 0 },
});

async function fetchWithoutLocation(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { body, status, statusText, headers } = await fetchWithKey(input, init);
  const otherHeaders = new Headers(headers);
  otherHeaders.delete('location');
  return new Response(body, { status, statusText, headers: otherHeaders });
}
