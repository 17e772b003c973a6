import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type BadgeLook = 'still' | 'good' | 'bad' | 'warn' | 'info';

export function Badge({ look = 'still', children }: { look?: BadgeLook; children: ReactNode }) {
  return (
    <span className={`${styles['badge']} ${styles[look]}`} dir="auto">
      {children}
    </span>
  );
}

const LOOKS: Readonly<Record<string, BadgeLook>> = {
  idle: 'still',
  busy: 'info',
  interrupted: 'warn',
  error: 'bad',
  pending: 'still',
  running: 'info',
  success: 'good',
  timeout: 'bad',
};

/** The status of a thread or a run, in the server's own word. */
export function Status({ status }: { status: string }) {
  const look = LOOKS[status] ?? 'still';
  return (
    <Badge look={look}>
      <span
        aria-hidden
        className={`${styles['dot']} ${status === 'running' || status === 'busy' ? styles['alive'] : ''}`}
      />
      {status}
    </Badge>
  );
}
