import { useEffect, type ReactNode } from 'react';
import { Link } from 'wouter';
import { ChevronRight } from 'lucide-react';
import { SERVER_URL } from '../api/session.js';
import styles from './page.module.css';

export interface Breadcrumb {
  name: string;
  to: string;
}

/** A page with breadcrumbs, title and actions. `tall`: it fills the window and scrolls inside. */
export function Page({
  title,
  crumbs = [],
  badge,
  actions,
  about,
  tall = false,
  children,
}: {
  title: string;
  crumbs?: readonly Breadcrumb[];
  badge?: ReactNode;
  actions?: ReactNode;
  about?: ReactNode;
  tall?: boolean;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Threadmill`;
  }, [title]);
  return (
    <div className={`${styles['page']} ${tall ? styles['tall'] : ''}`}>
      <header className={styles['head']}>
        {crumbs.length === 0 ? null : (
          <nav aria-label="Breadcrumb" className={styles['crumbs']}>
            {crumbs.map(({ name, to }) => (
              <span key={to}>
                <Link href={to} dir="auto">
                  {name}
                </Link>
                <ChevronRight size={13} aria-hidden />
              </span>
            ))}
          </nav>
        )}
        <div className={styles['line']}>
          <h1 dir="auto">{title}</h1>
          {badge}
          {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
        </div>
        {about === undefined ? null : <div className={styles['about']}>{about}</div>}
      </header>
      {children}
    </div>
  );
}

/** A titled section of a page. `flush`: without padding. */
export function Panel({
  title,
  actions,
  flush = false,
  children,
}: {
  title?: string;
  actions?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={styles['panel']} aria-label={title}>
      {title === undefined ? null : (
        <header className={styles['panelHead']}>
          <h2>{title}</h2>
          {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
        </header>
      )}
      <div className={flush ? styles['flush'] : styles['inside']}>{children}</div>
    </section>
  );
}

/** A list of names and values. */
export function DescriptionList({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A row of filter fields above a list. */
export function Toolbar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className={styles['toolbar']}>
      {children}
    </div>
  );
}

/** A link to a resource of this server outside the console. `path` has no leading slash. */
export function FileLink({ path, children }: { path: string; children: ReactNode }) {
  return <a href={new URL(path, SERVER_URL).href}>{children}</a>;
}
