import type { ReactNode } from 'react';
import { statusName } from './format.js';
import styles from './badge.module.css';

export type BadgeVariant = 'neutral' | 'good' | 'bad' | 'warn' | 'info';

export function Badge({ variant = 'neutral', children }: { variant?: BadgeVariant; children: ReactNode }) {
  return (
    <span className={`${styles['badge']} ${styles[variant]}`} dir="auto">
      {children}
    </span>
  );
}

const STATUS_VARIANTS: Readonly<Record<string, BadgeVariant>> = {
  idle: 'neutral',
  busy: 'info',
  interrupted: 'warn',
  error: 'bad',
  pending: 'neutral',
  running: 'info',
  success: 'good',
  timeout: 'bad',
  waiting: 'warn',
};

/** The status of a thread or a run. */
export function Status({ status }: { status: string }) {
  const variant = STATUS_VARIANTS[status] ?? 'neutral';
  return (
    <Badge variant={variant}>
      <span
        aria-hidden
        className={`${styles['dot']} ${status === 'running' || status === 'busy' ? styles['alive'] : ''}`}
      />
      {statusName(status)}
    </Badge>
  );
}
