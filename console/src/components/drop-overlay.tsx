import { FileUp } from 'lucide-react';
import styles from './drop-overlay.module.css';

/** Covers the window while a file is dragged over it, and says what happens when it is dropped. */
export function DropOverlay({ children }: { children: string }) {
  return (
    <div className={styles['overlay']} aria-hidden>
      <p className={styles['text']}>
        <FileUp size={20} />
        {children}
      </p>
    </div>
  );
}
