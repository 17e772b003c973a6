import type { CopiedRequest } from '../../shared/request-snippets.js';

/** A search of traces, with the names of the API. */
export type TraceSearch = {
  session: readonly string[];
  is_root: true;
  limit: number;
  filter: string | null;
  tree_filter: string | null;
  start_time: string | null;
  end_time: string | null;
  error?: true;
};

/** The search of the list as a request to copy. */
export function tracesRequest(search: TraceSearch): CopiedRequest {
  const body = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== null));
  const { session, start_time: from, end_time: to, ...options } = body;
  return {
    method: 'POST',
    path: 'api/v1/runs/query',
    body,
    // The SDKs take times as objects of their language, and no end.
    sdk:
      from === undefined && to === undefined
        ? {
            library: 'langsmith',
            method: 'list_runs',
            args: [],
            options: { project_id: session, ...options },
            isIterated: true,
          }
        : null,
  };
}
