import { useEffect, useState } from 'react';
import { ago, wholeTime } from './format.js';

/** When, told from now; the whole time on hover and to readers. */
export function Time({ at }: { at: string | number | null | undefined }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  if (at === null || at === undefined) return <span>never</span>;
  const ms = new Date(at).getTime();
  if (Number.isNaN(ms)) return <span>{String(at)}</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={wholeTime(ms)}>
      {ago(ms, now)}
    </time>
  );
}
