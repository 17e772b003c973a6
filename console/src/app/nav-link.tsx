import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import styles from './shell.module.css';

export function NavLink({ to, children }: { to: string; children: ReactNode }) {
  const [location] = useLocation();
  const isCurrent = location === to || (to !== '/' && location.startsWith(`${to}/`));
  return (
    <Link
      href={to}
      className={`${styles['link']} ${isCurrent ? styles['here'] : ''}`}
      {...(isCurrent ? { 'aria-current': 'page' } : {})}
    >
      {children}
    </Link>
  );
}
