import { NEW_THREAD, type CopiedRequest } from './request-snippets.js';

/** Starts a run and streams it. `thread`: an id, `new`, or null without a thread. The body has the names of the API. */
export function runRequest(
  assistant: string,
  thread: string | null,
  body: Readonly<Record<string, unknown>>,
): CopiedRequest {
  const path =
    thread === null || thread === 'new' ? 'runs/stream' : `threads/${encodeURIComponent(thread)}/runs/stream`;
  return {
    method: 'POST',
    path,
    body: { assistant_id: assistant, ...body },
    isStream: true,
    hasNewThread: thread === 'new',
    sdk: {
      library: 'langgraph',
      method: 'runs.stream',
      args: [thread === 'new' ? NEW_THREAD : thread, assistant],
      options: body,
    },
  };
}
