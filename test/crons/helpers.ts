import type { Cron, Run, Thread } from '@langchain/langgraph-sdk';
import type { FakeClock } from '../helpers/fake-clock.js';
import type { TestServer } from '../helpers/server.js';

/** A cron as the server shows it, its own fields included. */
export type ShownCron = Cron & {
  last_run_id: string | null;
  last_run_date: string | null;
  last_error: { error: string; message: string; at: string } | null;
};

export async function createCron(
  server: TestServer,
  assistantId: string,
  body: Record<string, unknown>,
  threadId?: string,
): Promise<ShownCron> {
  const answer = await server.post(threadId === undefined ? '/runs/crons' : `/threads/${threadId}/runs/crons`, {
    assistant_id: assistantId,
    ...body,
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as ShownCron;
}

/** Makes a server that several tests share as if no other had used it, from `at` on: without crons. */
export async function startOver(server: TestServer, clock: FakeClock, at: string): Promise<void> {
  for (const { cron_id: id } of await server.client.crons.search({ limit: 1_000 }))
    await server.client.crons.delete(id);
  clock.set(at);
}

export async function getCron(server: TestServer, cronId: string): Promise<ShownCron> {
  return (await (await server.get(`/runs/crons/${cronId}`)).json()) as ShownCron;
}

export async function patchCron(server: TestServer, cronId: string, body: Record<string, unknown>): Promise<ShownCron> {
  return (await (await server.post(`/runs/crons/${cronId}`, body, { method: 'PATCH' })).json()) as ShownCron;
}

/** Looks again until it is so. */
export async function until<T>(look: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (wanted(value)) return value;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

/** Threads that the firings of a cron left behind, oldest first. */
export async function threadsOf(server: TestServer, cronId: string): Promise<Thread[]> {
  return (await server.client.threads.search({
    metadata: { cron_id: cronId },
    limit: 1000,
    sortBy: 'created_at',
    sortOrder: 'asc',
  })) as Thread[];
}

/** As soon as there are so many, and all have ended; never more. */
export async function firings(server: TestServer, cronId: string, count: number): Promise<Thread[]> {
  const found = await until(
    () => threadsOf(server, cronId),
    (threads) => threads.length >= count && threads.every(({ status }) => status !== 'busy'),
  );
  if (found.length !== count) throw new Error(`${found.length} firings instead of ${count}`);
  return found;
}

/** Runs of a thread, oldest first, as soon as none is under way. */
export async function ended(server: TestServer, threadId: string): Promise<Run[]> {
  await until(
    () => server.client.threads.get(threadId),
    ({ status }) => status !== 'busy',
  );
  return (await server.client.runs.list(threadId, { limit: 1000 })).toReversed();
}
