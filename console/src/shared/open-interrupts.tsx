import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { fetchJson } from '../api/http.js';
import { CONSOLE_PATH } from '../api/session.js';
import { Badge } from '../components/badge.js';
import { showToast } from '../components/toast.js';
import { InterruptForm, type OpenInterrupt } from './interrupt-form.js';
import { fetchThread } from './thread-search.js';
import { startRun } from './start-run.js';
import styles from './open-interrupts.module.css';

const BUSY_REFRESH_MS = 1_500;

/** A task of a thread's state, as far as its questions need it. */
export interface AskingTask {
  name: string;
  interrupts: readonly OpenInterrupt[];
  result: unknown;
}

/** Open interrupts of a thread with answer forms. Nothing if there are none. */
export function OpenInterrupts({
  threadId,
  tasks,
  assistantId,
  assistantField = null,
  settled,
  onAnswered,
}: {
  threadId: string;
  tasks: readonly AskingTask[];
  /** The assistant that continues. Null until the person has selected it in `assistantField`. */
  assistantId: string | null;
  assistantField?: ReactNode;
  /** No run is active that may already answer them. */
  settled: boolean;
  onAnswered: () => Promise<unknown>;
}) {
  // A task with a result has all its answers and only waits for the tasks of the same step.
  const open = tasks
    .filter(({ result }) => result === null)
    .flatMap(({ name, interrupts }) => interrupts.map((interrupt) => ({ node: name, interrupt })));
  if (open.length === 0) return null;
  const answer = async (resume: unknown): Promise<void> => {
    await startRun(threadId, assistantId!, { command: { resume } });
    showToast('Answer sent. The run continues.');
    await onAnswered();
  };
  return (
    <section aria-label="Waiting for input" className={styles['interrupts']}>
      {open.map(({ node, interrupt }, at) => (
        <div key={interrupt.id ?? at} className={styles['interrupt']}>
          <div className={styles['head']}>
            <Badge variant="warn">Waiting for input</Badge>
            <span className="soft">
              Asked by <bdi dir="auto">{node}</bdi>
            </span>
          </div>
          {assistantField}
          {/* Several interrupts are answered by id, one at a time. The others stay open. */}
          <InterruptForm
            interrupts={[interrupt]}
            byId={open.length > 1}
            isDisabled={assistantId === null || !settled}
            onAnswer={answer}
          />
        </div>
      ))}
    </section>
  );
}

/** The open interrupts of the thread of a recorded run. Nothing if there are none. */
export function InterruptsOfRun({ threadId, assistantId }: { threadId: string; assistantId: string }) {
  const queries = useQueryClient();
  const queryKey = ['shared', 'interrupts', threadId];
  const state = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const thread = await fetchThread(threadId, signal);
      // Most threads have no question, and their state is not read.
      if (thread?.status !== 'interrupted') return { tasks: [], isBusy: thread?.status === 'busy' };
      const { tasks } = await fetchJson<{ tasks: readonly AskingTask[] }>(`threads/${threadId}/state`, {
        query: { select: ['tasks'] },
        signal,
      });
      return { tasks, isBusy: false };
    },
    // The next question may follow the answer.
    refetchInterval: ({ state: { data } }) => (data?.isBusy === true ? BUSY_REFRESH_MS : false),
    // The thread may be gone, and then nobody can answer.
    retry: false,
  });
  const tasks = state.data?.tasks ?? [];
  if (tasks.every(({ interrupts }) => interrupts.length === 0)) return null;
  return (
    <>
      <h3>Questions</h3>
      <p className="soft">
        The <Link href={`~${CONSOLE_PATH}/threads/${threadId}`}>thread</Link> of this run waits for an answer.
      </p>
      <OpenInterrupts
        threadId={threadId}
        tasks={tasks}
        assistantId={assistantId}
        settled={!state.isFetching}
        onAnswered={() => queries.invalidateQueries({ queryKey })}
      />
    </>
  );
}
