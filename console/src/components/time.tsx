import { useEffect, useState } from 'react';
import { formatRelativeTime, formatDateTime } from './format.js';

/** A time relative to now, with the full time as tooltip. */
export function Time({ at }: { at: string | number | null | undefined }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  if (at === null || at === undefined) return <span>Never</span>;
  const ms = new Date(at).getTime();
  if (Number.isNaN(ms)) return <span>{String(at)}</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatDateTime(ms)}>
      {formatRelativeTime(ms, now)}
    </time>
  );
}
