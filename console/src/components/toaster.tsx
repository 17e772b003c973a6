import { useEffect, useState } from 'react';
import { onToast } from './toast.js';
import styles from './toaster.module.css';

const TOAST_MS = 4_000;

/** Shows toasts and announces them. Mounted once. */
export function Toaster() {
  const [toast, setToast] = useState<{ text: string; at: number } | null>(null);
  useEffect(() => onToast((text) => setToast({ text, at: Date.now() })), []);
  useEffect(() => {
    if (toast === null) return undefined;
    const timer = setTimeout(() => setToast(null), TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div role="status" className={styles['region']}>
      {toast === null ? null : (
        <div key={toast.at} className={styles['toast']} dir="auto">
          {toast.text}
        </div>
      )}
    </div>
  );
}
