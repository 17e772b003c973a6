import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './stat-tile.module.css';

export type StatVariant = 'neutral' | 'info' | 'warn' | 'bad';

/** A figure that leads to the page with more of it. */
export function StatTile({
  name,
  value,
  to,
  variant = 'neutral',
}: {
  name: string;
  value: string;
  to: string;
  variant?: StatVariant;
}) {
  return (
    <Link href={to} className={`${styles['tile']} ${styles[variant]}`}>
      <span className={styles['name']}>
        <span aria-hidden className={styles['dot']} />
        {name}
      </span>
      <span className={styles['value']}>{value}</span>
    </Link>
  );
}

export function StatTiles({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className={styles['tiles']}>
      {children}
    </div>
  );
}
