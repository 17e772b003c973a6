import type { ReactNode } from 'react';
import styles from './preview.module.css';

/** At most two lines of a text in a table. */
export function Preview({ isError = false, children }: { isError?: boolean; children: ReactNode }) {
  return <span className={`${styles['cut']} ${isError ? styles['error'] : ''}`}>{children}</span>;
}
