import type { Run, ThreadState } from '@langchain/langgraph-sdk';
import { client, streamClient } from '../../api/client.js';
import { fetchJson, ServerError } from '../../api/http.js';
import { session } from '../../api/session.js';
import { dropSentMessages, mergeState, type Conversation } from './conversation.js';
import { hasEnded } from './run-order.js';
import { endView, emptyView, applyEvents, type RunView, type StreamPart } from './run-events.js';

/** State of the connection to the run's event stream. */
export type ConnectionState =
  | { kind: 'opening' }
  | { kind: 'live' }
  | { kind: 'lost'; tries: number; reason: string }
  | { kind: 'ended' }
  /** The server does not know the run, or refuses access. */
  | { kind: 'gone'; reason: string };

export interface RunSnapshot {
  runId: string;
  view: RunView;
  /** Increases with every change, because the view is changed in place. */
  version: number;
  connection: ConnectionState;
  /** Last status from the server. */
  status: string;
  run: Run | null;
  /** True if the events have expired and the view shows the thread's state after the run. */
  fromState: boolean;
  /** True if the run can still be continued: no later run has answered its interrupts. */
  canContinue: boolean;
  startedMs: number | null;
  endedMs: number | null;
}

export interface RunFollower {
  subscribe: (listener: () => void) => () => void;
  read: () => RunSnapshot;
  /** Reconnects immediately. */
  retry: () => void;
  stop: () => void;
}

const RETRY_FIRST_MS = 300;
const RETRY_MAX_MS = 5_000;
const FRAME_MS = 40;
/** Longer interval under heavy load, so that the page stays responsive. */
const BUSY_FRAME_MS = 150;
const BUSY_EVENTS = 60;
const HIDDEN_FRAME_MS = 1_000;

/**
 * Follows a run from its first event to its end, over any number of connections. Stopping does not affect the run.
 * `threadId` is null for a stateless run, which ends with the server process and is deleted soon after its end.
 */
export function followRun(threadId: string | null, runId: string, seed: Conversation): RunFollower {
  const view = emptyView(seed);
  let now: RunSnapshot = {
    runId,
    view,
    version: 0,
    connection: { kind: 'opening' },
    status: 'pending',
    run: null,
    fromState: false,
    canContinue: false,
    startedMs: null,
    endedMs: null,
  };
  const listeners = new Set<() => void>();
  const aborter = new AbortController();
  const { signal } = aborter;
  let queued: StreamPart[] = [];
  let isFlushScheduled = false;
  let isBusy = false;
  let wake: () => void = () => undefined;

  const update = (change: Partial<RunSnapshot>): void => {
    now = { ...now, ...change, version: now.version + 1 };
    for (const listener of listeners) listener();
  };
  const flush = (): void => {
    isFlushScheduled = false;
    if (queued.length === 0 || signal.aborted) return;
    const parts = queued;
    queued = [];
    isBusy = parts.length > BUSY_EVENTS;
    applyEvents(view, parts);
    update({ status: now.status === 'pending' ? 'running' : now.status, startedMs: now.startedMs ?? Date.now() });
  };
  const receive = (part: StreamPart): void => {
    queued.push(part);
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    // Batch events per frame. A hidden page updates rarely.
    if (document.hidden) setTimeout(flush, HIDDEN_FRAME_MS);
    else setTimeout(() => requestAnimationFrame(flush), isBusy ? BUSY_FRAME_MS : FRAME_MS);
  };
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const wakeUp = (): void => wake();

  async function read(): Promise<boolean> {
    if (threadId !== null) {
      const run = await client.runs.get(threadId, runId, { signal });
      update({
        run,
        status: run.status,
        startedMs: Date.parse(run.created_at),
        ...(hasEnded(run.status) ? { endedMs: Date.parse(run.updated_at) } : {}),
      });
      return hasEnded(run.status);
    }
    const { status } = await fetchJson<{ status: string }>(`runs/${runId}/why`, { signal });
    update({ status });
    return hasEnded(status);
  }

  async function stream(): Promise<void> {
    for await (const part of streamClient.runs.joinStream(threadId, runId, {
      signal,
      lastEventId: view.lastId ?? '-1',
    })) {
      if (now.connection.kind !== 'live') update({ connection: { kind: 'live' } });
      receive(part as StreamPart);
    }
  }

  async function follow(): Promise<void> {
    let tries = 0;
    for (;;) {
      const had = view.received;
      try {
        if (now.run === null && threadId !== null) await read();
        await stream();
        flush();
        if (await read()) return await end();
        // The stream ended early: after a gap, by a proxy, or by a graceful shutdown of the server.
        if (view.received > had) tries = 0;
        if (now.connection.kind !== 'live' || tries > 0)
          update({ connection: { kind: 'lost', tries, reason: 'The stream was closed before the end of the run.' } });
      } catch (error) {
        flush();
        if (signal.aborted) return undefined;
        if (view.received > had) tries = 0;
        const status = statusOf(error);
        if (status === 404) return await onNotFound();
        if (status >= 400 && status < 500 && ![401, 408, 429].includes(status))
          return update({ connection: { kind: 'gone', reason: (error as Error).message } });
        update({
          connection: {
            kind: 'lost',
            tries,
            reason: status === 401 ? 'The server requires authentication.' : 'The connection to the server was lost.',
          },
        });
      }
      await pause(Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** tries));
      if (signal.aborted) return undefined;
      tries += 1;
    }
  }

  async function end(): Promise<void> {
    if (view.values === undefined && threadId !== null) await readState(threadId);
    endView(view, now.status === 'interrupted' || now.status === 'timeout');
    if (threadId !== null) dropSentMessages(view.conversation);
    let canContinue = view.interrupts.length > 0;
    if (threadId !== null && (canContinue || (view.next ?? []).length > 0)) canContinue = await isNewestRun(threadId);
    update({ connection: { kind: 'ended' }, canContinue });
  }

  /** Reads the thread's state at the end of this run. */
  async function readState(thread: string): Promise<void> {
    const [state] = (await client.threads.getHistory(thread, {
      limit: 1,
      metadata: { run_id: runId },
    })) as ThreadState[];
    if (state === undefined) return;
    view.values = state.values;
    view.next = state.next;
    view.conversation = mergeState(view.conversation, state.values, view.attempt);
    if (view.interrupts.length === 0)
      view.interrupts = state.tasks.flatMap(({ interrupts }) =>
        interrupts.map(({ id, value }) => ({ id: id ?? null, value: value as unknown })),
      );
    // Gap notices are not events of the run.
    update({ fromState: view.received === view.gaps.length });
  }

  /** Whether this is the newest run of the thread. A later run has answered its interrupts. */
  async function isNewestRun(thread: string): Promise<boolean> {
    const [last] = await client.runs.list(thread, { limit: 1 });
    return last === undefined || last.run_id === runId;
  }

  async function onNotFound(): Promise<void> {
    endView(view, true);
    const seen = view.received > 0;
    if (threadId === null && seen && now.status === 'running' && now.connection.kind === 'live') {
      // The stream had ended. The stateless run was deleted with its thread.
      return update({
        status: view.error === null ? 'success' : 'error',
        connection: { kind: 'ended' },
        endedMs: Date.now(),
      });
    }
    return update({
      endedMs: Date.now(),
      connection: {
        kind: 'gone',
        reason:
          threadId === null
            ? 'Stateless run not found. Such runs are deleted soon after their end, and a server restart ends them.'
            : 'Run not found. It was deleted or rolled back.',
      },
    });
  }

  const unsubscribe = session.subscribe(wakeUp);
  window.addEventListener('online', wakeUp);
  void follow().catch((error: unknown) => {
    if (!signal.aborted)
      update({ connection: { kind: 'gone', reason: error instanceof Error ? error.message : String(error) } });
  });
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => now,
    retry: wakeUp,
    stop() {
      aborter.abort();
      wakeUp();
      unsubscribe();
      window.removeEventListener('online', wakeUp);
    },
  };
}

function statusOf(error: unknown): number {
  if (error instanceof ServerError) return error.status;
  const { status } = error as { status?: unknown };
  return typeof status === 'number' ? status : 0;
}
