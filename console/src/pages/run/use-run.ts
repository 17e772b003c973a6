import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Conversation } from './conversation.js';
import { followRun, type Followed, type Follower } from './follow-run.js';

const NOBODY = { subscribe: () => () => undefined, read: () => null };

/** What is known of a run, as it comes. Leaving the page stops the reading, never the run. `seed`: what its thread had said before. */
export function useRun(
  threadId: string | null,
  runId: string | null,
  seed: () => Conversation,
): { followed: Followed | null; retry: () => void } {
  const [follower, setFollower] = useState<Follower | null>(null);
  useEffect(() => {
    if (runId === null) {
      setFollower(null);
      return undefined;
    }
    const started = followRun(threadId, runId, seed());
    setFollower(started);
    return () => started.stop();
    // What was said before counts at the moment of starting only.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [threadId, runId]);
  const { subscribe, read } = follower ?? NOBODY;
  const followed = useSyncExternalStore<Followed | null>(subscribe, read);
  return { followed: runId === null ? null : followed, retry: () => follower?.retry() };
}

/** The time, told anew while something runs. */
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
