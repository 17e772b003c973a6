import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { isForbidden } from '../../shared/forbidden.js';

/** A panel of the home page. It is left out if this key or user may not read what it shows. */
export function Section<T>({
  title,
  actions,
  query,
  children,
}: {
  title: string;
  actions: ReactNode;
  query: UseQueryResult<T, unknown>;
  children: (data: T) => ReactNode;
}) {
  if (isForbidden(query.error)) return null;
  return (
    <Panel title={title} actions={actions} flush>
      {query.data !== undefined ? (
        children(query.data)
      ) : query.error === null ? (
        <Loading />
      ) : (
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      )}
    </Panel>
  );
}
