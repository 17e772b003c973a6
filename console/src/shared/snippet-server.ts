import { SERVER_URL, session } from '../api/session.js';
import type { SnippetServer } from './request-snippets.js';

/** This server, as snippets name it. */
export function snippetServer(): SnippetServer {
  return { url: SERVER_URL.replace(/\/$/, ''), credential: session.credential?.form ?? null };
}
