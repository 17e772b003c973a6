import { fetchJson } from '../api/http.js';

/** Starts a resumable run, so that its page can show the events from the beginning. */
export function startRun(
  threadId: string,
  assistantId: string,
  body: Record<string, unknown>,
): Promise<{ run_id: string }> {
  return fetchJson(`threads/${threadId}/runs`, {
    method: 'POST',
    body: {
      assistant_id: assistantId,
      stream_resumable: true,
      stream_mode: ['values', 'messages-tuple', 'updates'],
      stream_subgraphs: true,
      ...body,
    },
  });
}
