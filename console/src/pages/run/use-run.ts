import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Conversation } from './conversation.js';
import { followRun, type RunSnapshot, type RunFollower } from './follow-run.js';

const NO_RUN = { subscribe: () => () => undefined, read: () => null };

/** Follows a run while the page is open; leaving the page does not stop it. `seed`: earlier messages of its thread. */
export function useRun(
  threadId: string | null,
  runId: string | null,
  seed: () => Conversation,
): { snapshot: RunSnapshot | null; retry: () => void } {
  const [follower, setFollower] = useState<RunFollower | null>(null);
  useEffect(() => {
    if (runId === null) {
      setFollower(null);
      return undefined;
    }
    const started = followRun(threadId, runId, seed());
    setFollower(started);
    return () => started.stop();
    // The earlier messages are only needed at the start.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [threadId, runId]);
  const { subscribe, read } = follower ?? NO_RUN;
  const snapshot = useSyncExternalStore<RunSnapshot | null>(subscribe, read);
  return { snapshot: runId === null ? null : snapshot, retry: () => follower?.retry() };
}

/** The current time, updated while `active`. */
export function useNow(active: boolean, everyMs = 250): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, everyMs);
    return () => clearInterval(timer);
  }, [active, everyMs]);
  return now;
}
