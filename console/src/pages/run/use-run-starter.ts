import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { client } from '../../api/client.js';
import type { QueryChanges } from '../../components/query-string.js';
import type { MessageLike } from '../../shared/message-parts.js';
import { sentMessage, withSentMessages, type Conversation, type StreamedMessage } from './conversation.js';
import type { RunSnapshot } from './follow-run.js';
import { hasEnded } from './run-order.js';
import { runPayload, type RunOptionValues } from './options.js';
import { nextRunId } from './run-order.js';
import { fetchNewestRuns, useWaitingRuns, waitingKey, type WaitingRun } from './waiting.js';

/** The conversation that a run begins with: the one before it, and its message. */
export interface RunSeed {
  runId: string;
  conversation: Conversation;
}

/** A sent message. `runId`: its run, as soon as the server has created it. */
interface SendingMessage extends StreamedMessage {
  runId: string | null;
}

/** Work of a run in addition to the options of the page: an input, an answer, a checkpoint. */
export type RunWork = Readonly<Record<string, unknown>>;

export interface RunStarter {
  /** Starts a run and shows it. `base`: the conversation before it, if it is not the one that the page shows. */
  begin(work: RunWork, messages?: readonly MessageLike[], base?: Conversation): Promise<void>;
  /** Starts a run with messages, which are visible at once. While another run executes, they wait behind it. */
  send(work: RunWork, messages: readonly MessageLike[]): Promise<void>;
  /** Messages that the server has not confirmed. */
  sending: readonly StreamedMessage[];
  /** Number of messages sent by this page. */
  sentCount: number;
  waiting: readonly WaitingRun[];
  /** To be called when the person has canceled a waiting run. */
  onCanceled(runId: string): void;
}

interface Place {
  assistantId: string | null;
  threadId: string | null;
  runId: string | null;
  isStateless: boolean;
  hasChat: boolean;
  options: RunOptionValues;
  snapshot: RunSnapshot | null;
  /** The conversation that the page shows. */
  shown: RefObject<Conversation>;
  seed: { current: RunSeed | null };
  change: (changes: QueryChanges) => void;
}

const NO_IDS: ReadonlySet<string> = new Set();

/** Starts runs of the page, one after the other, and shows each as soon as the one before it has ended. */
export function useRunStarter(place: Place): RunStarter {
  const { assistantId, threadId, runId, isStateless, hasChat, options, snapshot, shown, seed, change } = place;
  const queries = useQueryClient();
  const [sending, setSending] = useState<readonly SendingMessage[]>([]);
  const [sentCount, setSentCount] = useState(0);
  // The list of waiting runs is read every few seconds, so it can contain a run that has started since.
  const started = useRef(new Set<string>());
  if (snapshot !== null && snapshot.status !== 'pending') started.current.add(snapshot.runId);
  const waiting = useWaitingRuns(hasChat ? threadId : null).filter(
    (run) => run.runId !== runId && !started.current.has(run.runId),
  );
  const isActive = isRunActive(snapshot);
  // What the page shows now, for work that continues after a request.
  const live = useRef({ runId: null as string | null, isActive: false });
  live.current = { runId: snapshot?.runId ?? null, isActive };
  // Runs of this page that wait behind the one that it shows.
  const queued = useRef(NO_IDS);
  // The run that was active when the page showed it, so that the next one may follow it.
  const seenActive = useRef<string | null>(null);
  if (isActive && snapshot?.run != null) seenActive.current = snapshot.runId;
  // The first message may create the thread of the next one.
  const lastSend = useRef<Promise<unknown>>(Promise.resolve());

  /** Creates the run. The place is not that of the last render, because several messages can be sent before it. */
  const create = async (work: RunWork): Promise<{ threadId: string | null; runId: string; isNewThread: boolean }> => {
    const here = new URLSearchParams(window.location.search).get('thread');
    const thread = here ?? (isStateless ? null : (await client.threads.create()).thread_id);
    const run = await client.runs.create(thread as string, assistantId!, { ...runPayload(options), ...work });
    await queries.cancelQueries({ queryKey: ['run', 'threads'] });
    void queries.invalidateQueries({ queryKey: ['run', 'threads'] });
    return { threadId: thread, runId: run.run_id, isNewThread: thread === null || thread !== here };
  };
  const show = (thread: string | null, conversation: Conversation, id: string): void => {
    seed.current = { runId: id, conversation };
    change({ assistant: assistantId, thread, run: id, again: null });
  };

  const begin: RunStarter['begin'] = async (work, messages = [], base = shown.current ?? new Map()) => {
    const run = await create(work);
    show(run.threadId, withSentMessages(run.isNewThread ? new Map() : base, asSent(messages)), run.runId);
  };

  const deliver = async (work: RunWork, sent: readonly StreamedMessage[]): Promise<string | null> => {
    const run = await create(work);
    const shownRun = new URLSearchParams(window.location.search).get('run');
    const isBusy = shownRun !== null && (live.current.runId !== shownRun || live.current.isActive);
    if (isBusy && !run.isNewThread && options.multitask === 'enqueue') {
      queued.current = new Set([...queued.current, run.runId]);
      await queries.invalidateQueries({ queryKey: waitingKey(run.threadId) });
      return null;
    }
    const base = run.isNewThread ? new Map() : (shown.current ?? new Map());
    show(run.threadId, withSentMessages(base, sent), run.runId);
    return run.runId;
  };
  const send: RunStarter['send'] = async (work, messages) => {
    const sent = asSent(messages).map((entry): SendingMessage => ({ ...entry, runId: null }));
    const without = (others: readonly SendingMessage[]): readonly SendingMessage[] =>
      others.filter(({ key }) => !sent.some((one) => one.key === key));
    setSending((others) => [...others.filter((one) => one.runId === null), ...sent]);
    setSentCount((count) => count + 1);
    const delivered = lastSend.current.then(() => deliver(work, sent));
    lastSend.current = delivered.catch(() => undefined);
    try {
      const shownId = await delivered;
      // Kept until the page shows the run, whose conversation begins with them.
      setSending((others) =>
        shownId === null ? without(others) : [...without(others), ...sent.map((one) => ({ ...one, runId: shownId }))],
      );
    } catch (error) {
      setSending(without);
      throw error;
    }
  };

  const hasEndedHere =
    hasChat &&
    threadId !== null &&
    snapshot !== null &&
    snapshot.runId === runId &&
    snapshot.connection.kind === 'ended';
  useEffect(() => {
    if (!hasEndedHere || (queued.current.size === 0 && (seenActive.current !== runId || waiting.length === 0)))
      return undefined;
    let isStale = false;
    void (async () => {
      const next = nextRunId(await fetchNewestRuns(threadId), runId!, queued.current);
      if (isStale || next === null) return;
      queued.current = new Set([...queued.current].filter((id) => id !== next));
      seenActive.current = null;
      const messages = waiting.find((run) => run.runId === next)?.messages ?? [];
      show(threadId, withSentMessages(shown.current ?? new Map(), asSent(messages)), next);
    })().catch(() => undefined);
    return () => {
      isStale = true;
    };
    // Not at each refresh of the waiting runs.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [hasEndedHere, runId, waiting.length]);

  return {
    begin,
    send,
    // A message with a run is in the conversation as soon as the page follows that run.
    sending: sending.filter((one) => one.runId === null || (one.runId === runId && snapshot?.runId !== runId)),
    sentCount,
    waiting,
    onCanceled: (id) => {
      queued.current = new Set([...queued.current].filter((one) => one !== id));
    },
  };
}

export function isRunActive(snapshot: RunSnapshot | null): boolean {
  return snapshot !== null && !hasEnded(snapshot.status) && snapshot.connection.kind !== 'gone';
}

let sentMessages = 0;

function asSent(messages: readonly MessageLike[]): StreamedMessage[] {
  return messages.map((message) => {
    sentMessages += 1;
    return sentMessage(`sent:${sentMessages}`, message);
  });
}
