import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import styles from './shell.module.css';

export function NavLink({ to, children }: { to: string; children: ReactNode }) {
  const [location] = useLocation();
  const here = location === to || location.startsWith(`${to}/`);
  return (
    <Link
      href={to}
      className={`${styles['link']} ${here ? styles['here'] : ''}`}
      {...(here ? { 'aria-current': 'page' } : {})}
    >
      {children}
    </Link>
  );
}
