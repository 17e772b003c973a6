import type { Cron as KnownCron } from '@langchain/langgraph-sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { fetchJson } from '../../api/http.js';
import { fetchPage } from '../../api/fetch-page.js';
import { queryClient } from '../../api/query-client.js';

export const PAGE_SIZE = 25;
/** Refresh interval, because crons run without user action. */
const REFRESH_MS = 15_000;

type NullableField = 'thread_id' | 'end_time' | 'timezone' | 'next_run_date' | 'user_id';

/** A cron of the server. Compared with the SDK type, fields can be null and there are fields for the last run. */
export interface Cron extends Omit<KnownCron, NullableField>, Record<NullableField, string | null> {
  last_run_id: string | null;
  last_run_date: string | null;
  last_error: { error: string; message: string; at: string } | null;
}

export interface CronSearch {
  assistant: string;
  thread: string;
  enabled: boolean | null;
  offset: number;
}

export function useCrons({ assistant, thread, enabled, offset }: CronSearch) {
  const filter = {
    ...(assistant === '' ? {} : { assistant_id: assistant }),
    ...(thread === '' ? {} : { thread_id: thread }),
    ...(enabled === null ? {} : { enabled }),
  };
  const page = useQuery({
    queryKey: ['crons', 'list', filter, offset],
    queryFn: ({ signal }) => fetchPage<Cron>('runs/crons/search', { ...filter, limit: PAGE_SIZE, offset }, signal),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const total = useQuery({
    queryKey: ['crons', 'count', filter],
    queryFn: ({ signal }) => fetchJson<number>('runs/crons/count', { method: 'POST', body: filter, signal }),
  });
  return { page, total };
}

export function useCron(id: string) {
  return useQuery({
    queryKey: ['crons', 'one', id],
    queryFn: ({ signal }) => fetchJson<Cron>(cronPath(id), { signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** Creates a cron. Bodies use the API format, because the SDK lacks some options. */
export async function createCron(threadId: string, body: Record<string, unknown>): Promise<Cron> {
  const cron = await fetchJson<Cron>(
    threadId === '' ? 'runs/crons' : `threads/${encodeURIComponent(threadId)}/runs/crons`,
    {
      method: 'POST',
      body,
    },
  );
  await reloadCrons();
  return cron;
}

export async function updateCron(id: string, body: Record<string, unknown>): Promise<Cron> {
  const cron = await fetchJson<Cron>(cronPath(id), { method: 'PATCH', body });
  await reloadCrons();
  return cron;
}

export async function deleteCron(id: string): Promise<void> {
  await fetchJson(cronPath(id), { method: 'DELETE' });
  queryClient.removeQueries({ queryKey: ['crons', 'one', id] });
  void reloadCrons();
}

function reloadCrons(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['crons'] });
}

function cronPath(id: string): string {
  return `runs/crons/${encodeURIComponent(id)}`;
}
