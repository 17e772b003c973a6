import { fetchJson, statusOf } from '../../api/http.js';

/** Threads whose runs are cancelled at the same time. */
const AT_ONCE = 4;
/** More runs than a thread can queue. */
const RUNS_MAX = 1_000;
/** A run can end between the two requests. Then its thread is asked again. */
const ATTEMPTS = 3;

/** Cancels the active runs of these threads and returns how many there were. */
export async function cancelRunsOfThreads(threadIds: readonly string[]): Promise<number> {
  let cancelled = 0;
  const waiting = [...threadIds];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const count = await cancelRunsOf(id);
      cancelled += count;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return cancelled;
}

async function cancelRunsOf(threadId: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const runIds = await activeRuns(threadId);
    if (runIds.length === 0) return 0;
    try {
      await fetchJson('runs/cancel', { method: 'POST', body: { thread_id: threadId, run_ids: runIds } });
      return runIds.length;
    } catch (error) {
      if (statusOf(error) !== 404 || attempt === ATTEMPTS) throw error;
    }
  }
}

async function activeRuns(threadId: string): Promise<string[]> {
  const lists = await Promise.all(
    ['running', 'pending'].map((status) =>
      fetchJson<{ run_id: string }[]>(`threads/${threadId}/runs`, {
        query: { status, limit: RUNS_MAX, select: ['run_id'] },
      }),
    ),
  );
  return lists.flat().map(({ run_id: id }) => id);
}
