import { useEffect, useState } from 'react';
import { onSaid } from './toast.js';
import styles from './said.module.css';

const SHOWN_MS = 4_000;

/** Where `say` is heard and seen. Once in the page. */
export function Said() {
  const [said, setSaid] = useState<{ text: string; at: number } | null>(null);
  useEffect(() => onSaid((text) => setSaid({ text, at: Date.now() })), []);
  useEffect(() => {
    if (said === null) return undefined;
    const timer = setTimeout(() => setSaid(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <div role="status" className={styles['place']}>
      {said === null ? null : (
        <div key={said.at} className={styles['said']} dir="auto">
          {said.text}
        </div>
      )}
    </div>
  );
}
