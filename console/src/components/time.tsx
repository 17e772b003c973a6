import { useEffect, useReducer } from 'react';
import { serverNow } from '../api/server-clock.js';
import { formatRelativeTime, formatDateTime } from './format.js';

const RENEW_MS = 15_000;

/** A time relative to now, with the full time as tooltip. `mayBeAhead`: for times that are planned. */
export function Time({ at, mayBeAhead = false }: { at: string | number | null | undefined; mayBeAhead?: boolean }) {
  const [, renew] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(renew, RENEW_MS);
    return () => clearInterval(timer);
  }, []);
  if (at === null || at === undefined) return <span>Never</span>;
  const ms = new Date(at).getTime();
  if (Number.isNaN(ms)) return <span>{String(at)}</span>;
  const nowMs = serverNow();
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatDateTime(ms)}>
      {formatRelativeTime(mayBeAhead ? ms : Math.min(ms, nowMs), nowMs)}
    </time>
  );
}
