import { Folder } from 'lucide-react';
import { Link } from 'wouter';
import { Button } from '../../components/button.js';
import { ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { namespaceText, useNamespaces } from './data.js';
import styles from './store.module.css';

/** Namespaces one level below the current one. */
export function NamespacesPanel({ above }: { above: readonly string[] }) {
  const { data, error, isLoading, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useNamespaces(above);
  return (
    <Panel title={above.length === 0 ? 'Namespaces' : 'Subnamespaces'} flush>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {isLoading ? <Loading /> : null}
      {data === undefined ? null : data.length === 0 ? (
        <p className={`soft ${styles['none']}`}>{above.length === 0 ? 'No namespaces yet' : 'None'}</p>
      ) : (
        <ul className={styles['namespaces']}>
          {data.map((namespace) => (
            <li key={namespaceText(namespace)}>
              <Link href={linkTo(namespace)} className={styles['namespace']!}>
                <Folder size={15} aria-hidden />
                <span dir="auto">{namespace.at(-1)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {hasNextPage ? (
        <div className={styles['none']}>
          <Button small isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

/** Path of the current namespace, outermost label first. */
export function NamespacePath({ namespace }: { namespace: readonly string[] }) {
  return (
    <nav aria-label="Namespace" className={styles['path']}>
      <Link href={linkTo([])} {...(namespace.length === 0 ? { 'aria-current': 'page' as const } : {})}>
        All namespaces
      </Link>
      {namespace.map((label, at) => (
        <span key={at}>
          <span aria-hidden className="soft">
            /{' '}
          </span>
          <Link
            href={linkTo(namespace.slice(0, at + 1))}
            dir="auto"
            {...(at === namespace.length - 1 ? { 'aria-current': 'page' as const } : {})}
          >
            {label}
          </Link>
        </span>
      ))}
    </nav>
  );
}

function linkTo(namespace: readonly string[]): string {
  return namespace.length === 0 ? '' : `?${new URLSearchParams({ ns: namespaceText(namespace) }).toString()}`;
}
