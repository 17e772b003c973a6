import { AlertTriangle, Info, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorMessage } from '../api/http.js';
import { Button } from './button.js';
import styles from './note.module.css';

/** An error message, with a retry button where retrying can help. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div role="alert" className={`${styles['note']} ${styles['bad']}`}>
      <AlertTriangle size={17} aria-hidden />
      <div className={styles['text']} dir="auto">
        {errorMessage(error)}
      </div>
      {onRetry === undefined ? null : (
        <Button small onPress={onRetry}>
          <RotateCw size={14} aria-hidden />
          Try again
        </Button>
      )}
    </div>
  );
}

export function Note({ variant = 'info', children }: { variant?: 'info' | 'warn' | 'good'; children: ReactNode }) {
  return (
    <div role="note" className={`${styles['note']} ${styles[variant]}`}>
      <Info size={17} aria-hidden />
      <div className={styles['text']}>{children}</div>
    </div>
  );
}

/** Shown in place of an empty list. The children say what to do next. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <p className={styles['emptyTitle']}>{title}</p>
      {children === undefined ? null : <div>{children}</div>}
    </div>
  );
}

export function Loading({ what = 'Loading' }: { what?: string }) {
  return (
    <div role="status" className={styles['loading']}>
      <span className={styles['bar']} aria-hidden />
      <span>{what}…</span>
    </div>
  );
}

/** In place of a form that somebody may not use. `what`: what it does; `denial`: see `useDenial`. */
export function DenialNote({ what, denial }: { what: string; denial: string }) {
  return (
    <Note>
      You cannot {what}. This {denial.charAt(0).toLowerCase()}
      {denial.slice(1)}.
    </Note>
  );
}
