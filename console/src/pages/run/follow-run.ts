import type { Run, ThreadState } from '@langchain/langgraph-sdk';
import { client, streamClient } from '../../api/client.js';
import { ask, ServerError } from '../../api/http.js';
import { session } from '../../api/session.js';
import { settle, type Conversation } from './conversation.js';
import { close, emptyView, take, type RunView, type StreamPart } from './run-events.js';

/** How the page stands to the server, as far as this run goes. */
export type Link =
  | { kind: 'opening' }
  | { kind: 'live' }
  | { kind: 'lost'; tries: number; why: string }
  | { kind: 'ended' }
  /** There is nothing to follow: the server said so. */
  | { kind: 'gone'; why: string };

export interface Followed {
  view: RunView;
  /** Rises with every change of the view, which is changed in place. */
  version: number;
  link: Link;
  /** As the server last told it. */
  status: string;
  run: Run | null;
  /** The events are not kept any more; what is shown is what the thread held after this run. */
  fromState: boolean;
  /** Its questions wait for an answer still. */
  open: boolean;
  startedMs: number | null;
  endedMs: number | null;
}

export interface Follower {
  subscribe: (listener: () => void) => () => void;
  read: () => Followed;
  /** Without waiting for the next try. */
  retry: () => void;
  stop: () => void;
}

const PAUSE_FIRST_MS = 300;
const PAUSE_MAX_MS = 5_000;
const FRAME_MS = 40;
/** Where very many events come, reading them must leave time for the person. */
const BUSY_FRAME_MS = 150;
const BUSY_EVENTS = 60;
const HIDDEN_MS = 1_000;

/**
 * Follows a run from its first event to its end, over any number of connections, and stops without touching it. `threadId`
 * null: a run without a thread, which ends with the server's process and is gone soon after its end.
 */
export function followRun(threadId: string | null, runId: string, seed: Conversation): Follower {
  const view = emptyView(seed);
  let now: Followed = {
    view,
    version: 0,
    link: { kind: 'opening' },
    status: 'pending',
    run: null,
    fromState: false,
    open: false,
    startedMs: null,
    endedMs: null,
  };
  const listeners = new Set<() => void>();
  const aborter = new AbortController();
  const { signal } = aborter;
  let waiting: StreamPart[] = [];
  let planned = false;
  let busy = false;
  let wake: () => void = () => undefined;

  const tell = (change: Partial<Followed>): void => {
    now = { ...now, ...change, version: now.version + 1 };
    for (const listener of listeners) listener();
  };
  const flush = (): void => {
    planned = false;
    if (waiting.length === 0 || signal.aborted) return;
    const parts = waiting;
    waiting = [];
    busy = parts.length > BUSY_EVENTS;
    take(view, parts);
    tell({ status: now.status === 'pending' ? 'running' : now.status, startedMs: now.startedMs ?? Date.now() });
  };
  const receive = (part: StreamPart): void => {
    waiting.push(part);
    if (planned) return;
    planned = true;
    // Many events make one picture; a page that nobody sees makes few.
    if (document.hidden) setTimeout(flush, HIDDEN_MS);
    else setTimeout(() => requestAnimationFrame(flush), busy ? BUSY_FRAME_MS : FRAME_MS);
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
      tell({
        run,
        status: run.status,
        startedMs: Date.parse(run.created_at),
        ...(isOver(run.status) ? { endedMs: Date.parse(run.updated_at) } : {}),
      });
      return isOver(run.status);
    }
    const { status } = await ask<{ status: string }>(`runs/${runId}/why`, { signal });
    tell({ status });
    return isOver(status);
  }

  async function stream(): Promise<void> {
    for await (const part of streamClient.runs.joinStream(threadId, runId, {
      signal,
      lastEventId: view.lastId ?? '-1',
    })) {
      if (now.link.kind !== 'live') tell({ link: { kind: 'live' } });
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
        // Closed in the middle: by a gap, a proxy, or a server that goes down in good order.
        if (view.received > had) tries = 0;
        if (now.link.kind !== 'live' || tries > 0)
          tell({ link: { kind: 'lost', tries, why: 'The stream was closed before the run had ended.' } });
      } catch (error) {
        flush();
        if (signal.aborted) return undefined;
        if (view.received > had) tries = 0;
        const status = statusOf(error);
        if (status === 404) return await missing();
        if (status >= 400 && status < 500 && ![401, 408, 429].includes(status))
          return tell({ link: { kind: 'gone', why: (error as Error).message } });
        tell({
          link: {
            kind: 'lost',
            tries,
            why: status === 401 ? 'The server wants a key.' : 'The connection to the server is gone.',
          },
        });
      }
      await pause(Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** tries));
      if (signal.aborted) return undefined;
      tries += 1;
    }
  }

  async function end(): Promise<void> {
    if (view.values === undefined && threadId !== null) await readState(threadId);
    close(view, now.status === 'interrupted' || now.status === 'timeout');
    let open = view.interrupts.length > 0;
    if (threadId !== null && (open || (view.next ?? []).length > 0)) open = await isOpen(threadId);
    tell({ link: { kind: 'ended' }, open });
  }

  /** What the thread held when this run had ended. */
  async function readState(thread: string): Promise<void> {
    const [state] = (await client.threads.getHistory(thread, {
      limit: 1,
      metadata: { run_id: runId },
    })) as ThreadState[];
    if (state === undefined) return;
    view.values = state.values;
    view.next = state.next;
    view.conversation = settle(view.conversation, state.values, view.attempt);
    if (view.interrupts.length === 0)
      view.interrupts = state.tasks.flatMap(({ interrupts }) =>
        interrupts.map(({ id, value }) => ({ id: id ?? null, value: value as unknown })),
      );
    // The word that all is gone is no event of the run.
    tell({ fromState: view.received === view.gaps.length });
  }

  /** Whether this run is the thread's last word: a later one has answered. */
  async function isOpen(thread: string): Promise<boolean> {
    const [last] = await client.runs.list(thread, { limit: 1 });
    return last === undefined || last.run_id === runId;
  }

  async function missing(): Promise<void> {
    close(view, true);
    const seen = view.received > 0;
    if (threadId === null && seen && now.status === 'running' && now.link.kind === 'live') {
      // It told its last word, and is gone with its thread.
      return tell({ status: view.error === null ? 'success' : 'error', link: { kind: 'ended' }, endedMs: Date.now() });
    }
    return tell({
      endedMs: Date.now(),
      link: {
        kind: 'gone',
        why:
          threadId === null
            ? 'This run has no thread: nothing of it is kept, and a restart of the server ends it. The server does not know it any more.'
            : 'The server does not know this run any more: it was deleted, or rolled back.',
      },
    });
  }

  const unsubscribe = session.subscribe(wakeUp);
  window.addEventListener('online', wakeUp);
  void follow().catch((error: unknown) => {
    if (!signal.aborted) tell({ link: { kind: 'gone', why: error instanceof Error ? error.message : String(error) } });
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

export function isOver(status: string): boolean {
  return status !== 'pending' && status !== 'running';
}

function statusOf(error: unknown): number {
  if (error instanceof ServerError) return error.status;
  const { status } = error as { status?: unknown };
  return typeof status === 'number' ? status : 0;
}
