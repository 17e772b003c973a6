import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Code2, FlaskConical, MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { fetchJson } from '../api/http.js';
import { CONSOLE_PATH } from '../api/session.js';
import { useAsyncAction } from '../components/async-action.js';
import { Button, ButtonLink } from '../components/button.js';
import { consoleHref } from '../components/console-href.js';
import { CopyButton } from '../components/copy.js';
import { RUN } from '../components/needs.js';
import { EmptyState, ErrorNote } from '../components/note.js';
import { Tabs } from '../components/tabs.js';
import { showToast } from '../components/toast.js';
import type { Snippets } from './request-snippets.js';
import { snippetServer } from './snippet-server.js';
import { runSnippets, uploadSnippets } from './snippets.js';
import styles from './first-steps.module.css';

/** What `POST /server/sample` would create. */
interface SampleCounts {
  threads: number;
  experiments: number;
}

/** In place of an empty list of threads: start a chat, load the sample, or copy code. */
export function FirstThread() {
  const graph = useFirstGraph();
  return (
    <EmptyState title="No threads yet">
      <p>A thread keeps the state of a conversation from one run to the next.</p>
      <div className={styles['actions']}>
        <ButtonLink needs={RUN} variant="primary" to={`~${CONSOLE_PATH}/run`}>
          Start a chat
        </ButtonLink>
        <LoadSample kind="threads" />
      </div>
      <Code snippets={runSnippets(snippetServer(), graph)} />
    </EmptyState>
  );
}

/** On the home page of a server without threads and experiments. */
export function FirstSteps() {
  const graph = useFirstGraph();
  const missing = useMissingSample();
  const hasSample = (missing.data?.threads ?? 0) + (missing.data?.experiments ?? 0) > 0;
  return (
    <ol className={styles['steps']}>
      <li className={styles['step']}>
        <MessageSquare size={18} aria-hidden />
        <h2>Chat with a graph</h2>
        <p>Send a message and watch each step of the graph as it runs.</p>
        <div>
          <ButtonLink needs={RUN} variant="primary" to={consoleHref('/run')}>
            Start a chat
          </ButtonLink>
        </div>
      </li>
      {hasSample ? (
        <li className={styles['step']}>
          <FlaskConical size={18} aria-hidden />
          <h2>Look around with sample data</h2>
          <p>A dataset, two experiments to compare, and conversations if this server has the example graphs.</p>
          <div>
            <LoadSample kind={missing.data!.experiments > 0 ? 'experiments' : 'threads'} />
          </div>
        </li>
      ) : null}
      <li className={`${styles['step']} ${styles['wideStep']}`}>
        <Code2 size={18} aria-hidden />
        <h2>Call it from your code</h2>
        <p>This creates a thread and streams a run on it.</p>
        <Code snippets={runSnippets(snippetServer(), graph)} />
      </li>
    </ol>
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
      <Code snippets={uploadSnippets(snippetServer())} />
    </EmptyState>
  );
}

/** A graph for the snippets. */
function useFirstGraph(): string {
  const { data } = useQuery({
    queryKey: ['first-steps', 'graph'],
    queryFn: async ({ signal }) => {
      const [first] = await fetchJson<{ graph_id: string }[]>('assistants/search', {
        method: 'POST',
        body: { limit: 1 },
        signal,
      });
      return first?.graph_id ?? 'agent';
    },
  });
  return data ?? 'agent';
}

function useMissingSample() {
  return useQuery({
    queryKey: ['first-steps', 'sample'],
    queryFn: ({ signal }) => fetchJson<SampleCounts>('server/sample', { signal }),
    retry: false,
  });
}

/** Absent when the sample would add nothing here, or when this caller may not ask. */
function LoadSample({ kind }: { kind: keyof SampleCounts }) {
  const queries = useQueryClient();
  const loading = useAsyncAction();
  const missing = useMissingSample();
  if ((missing.data?.[kind] ?? 0) === 0) return null;
  const load = async (): Promise<void> => {
    await fetchJson<SampleCounts>('server/sample', { method: 'POST' });
    await queries.invalidateQueries();
    showToast('Sample data loaded.');
  };
  return (
    <>
      <Button needs="server:import" isPending={loading.isPending} onPress={() => void loading.execute(load)}>
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
