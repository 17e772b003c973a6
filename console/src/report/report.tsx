import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount, formatDateTime } from '../components/format.js';
import { Note } from '../components/note.js';
import { ComparisonView } from '../pages/datasets/compare/comparison-view.js';
import type { SavedComparison } from '../pages/datasets/compare/saved.js';
import { SourceContext } from '../pages/datasets/compare/source.js';
import { viewToSearch, viewFromSearch, type ChangeView, type View } from '../pages/datasets/compare/view.js';
import { fileSource } from './file-source.js';
import styles from './report.module.css';

/** All data is local: it never becomes stale and needs no retries. */
const client = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, gcTime: 10_000, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
  },
});

export function Report({ saved }: { saved: SavedComparison }) {
  const source = useMemo(() => fileSource(saved), [saved]);
  const [view, onView] = useViewInHash(saved.view);
  useEffect(() => {
    document.title = `Comparison on ${saved.dataset.name}`;
  }, [saved]);
  return (
    <QueryClientProvider client={client}>
      <SourceContext.Provider value={source}>
        <main className={styles['report']}>
          <header>
            <h1 dir="auto">Comparison on {saved.dataset.name}</h1>
            <p className="soft">
              Saved on {formatDateTime(saved.at)}. Created with Threadmill. This file works without a server.
            </p>
          </header>
          {saved.complete ? null : (
            <Note variant="warn">
              This file contains the first {formatCount(source.rowCount)} of {formatCount(source.total)} examples. The
              summary covers all of them.
            </Note>
          )}
          <ComparisonView view={view} onView={onView} />
        </main>
      </SourceContext.Provider>
    </QueryClientProvider>
  );
}

/** View state in the URL fragment, because a file has no query string. */
function useViewInHash(first: Partial<View>): [View, ChangeView] {
  const [hash, setHash] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const onHash = (): void => setHash(location.hash.slice(1));
    window.addEventListener('hashchange', onHash);
    return () => window.removeEventListener('hashchange', onHash);
  }, []);
  const view = useMemo(() => (hash === '' ? { ...viewFromSearch(''), ...first } : viewFromSearch(hash)), [hash, first]);
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  }, [view]);
  const onView = useCallback<ChangeView>((patch, { push = false } = {}) => {
    latest.current = { ...latest.current, ...patch };
    const text = viewToSearch(latest.current) || 'all';
    if (push) history.pushState(null, '', `#${text}`);
    else history.replaceState(null, '', `#${text}`);
    setHash(text);
  }, []);
  return [view, onView];
}
