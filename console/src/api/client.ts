import { Client } from '@langchain/langgraph-sdk';
import { fetchWithKey } from './http.js';
import { SERVER } from './session.js';

/** The stock SDK, as everyone else uses it. It is asked with the key that the tab has at that moment. */
export const client = new Client({ apiUrl: SERVER.replace(/\/$/, ''), apiKey: null, callerOptions: { fetch: fetchWithKey as typeof fetch, maxRetries: 0 } });
