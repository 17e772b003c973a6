import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.js';
import { fetchJson } from '../api/http.js';
import { CONSOLE_PATH, SERVER_URL, session } from '../api/session.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button, ButtonLink } from '../components/button.js';
import { CopyButton } from '../components/copy.js';
import { EmptyState, ErrorNote } from '../components/note.js';
import { Tabs } from '../components/tabs.js';
import { showToast } from '../components/toast.js';
import { runSnippets, uploadSnippets, type Snippets } from './snippets.js';
import styles from './first-steps.module.css';

/** What `POST /server/sample` would create. */
interface SampleCounts {
  threads: number;
  experiments: number;
}

/** In place of an empty list of threads: start a chat, load the sample, or copy code. */
export function FirstThread() {
  const graph = useQuery({
    queryKey: ['first-steps', 'graph'],
    queryFn: async ({ signal }) => (await client.assistants.search({ limit: 1, signal }))[0]?.graph_id ?? 'agent',
  });
  return (
    <EmptyState title="No threads yet">
      <p>A thread keeps the state of a conversation from one run to the next.</p>
      <div className={styles['actions']}>
        <ButtonLink variant="primary" to={`~${CONSOLE_PATH}/run`}>
          Start a chat
        </ButtonLink>
        <LoadSample kind="threads" />
      </div>
      <Code snippets={runSnippets(snippetOptions(), graph.data ?? 'agent')} />
    </EmptyState>
  );
}

/** In place of an empty list of datasets or experiments. */
export function FirstExperiment({ title }: { title: string }) {
  return (
    <EmptyState title={title}>
      <p>
        Upload results with the API, or files with <code>threadmill upload results.csv --dataset NAME</code>.
      </p>
      <div className={styles['actions']}>
        <LoadSample kind="experiments" />
      </div>
      <Code snippets={uploadSnippets(snippetOptions())} />
    </EmptyState>
  );
}

/** Absent when the sample would add nothing here, or when this caller may not ask. */
function LoadSample({ kind }: { kind: keyof SampleCounts }) {
  const queries = useQueryClient();
  const loading = useAsyncAction();
  const missing = useQuery({
    queryKey: ['first-steps', 'sample'],
    queryFn: ({ signal }) => fetchJson<SampleCounts>('server/sample', { signal }),
    retry: false,
  });
  if ((missing.data?.[kind] ?? 0) === 0) return null;
  const load = async (): Promise<void> => {
    await fetchJson<SampleCounts>('server/sample', { method: 'POST' });
    await queries.invalidateQueries();
    showToast('Sample data loaded.');
  };
  return (
    <>
      <Button isPending={loading.isPending} onPress={() => void loading.execute(load)}>
        Load sample data
      </Button>
      {loading.error === null ? null : <ErrorNote error={loading.error} />}
    </>
  );
}

function Code({ snippets }: { snippets: Snippets }) {
  const [language, setLanguage] = useState<string>('curl');
  const panel = (id: keyof Snippets, name: string) => ({
    id,
    name,
    content: (
      <div className={styles['code']}>
        <pre tabIndex={0} role="region" aria-label={`${name} code`}>
          <code>{snippets[id]}</code>
        </pre>
        <div className={styles['copy']}>
          <CopyButton text={snippets[id]} named />
        </div>
      </div>
    ),
  });
  return (
    <div className={styles['snippets']}>
      <Tabs
        label="Language"
        tabs={[panel('curl', 'curl'), panel('javascript', 'JavaScript'), panel('python', 'Python')]}
        value={language}
        onChange={setLanguage}
      />
    </div>
  );
}

function snippetOptions(): { url: string; needsKey: boolean } {
  return { url: SERVER_URL.replace(/\/$/, ''), needsKey: session.credential !== null };
}
