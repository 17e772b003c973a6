import { useQueryClient } from '@tanstack/react-query';
import { Badge } from '../../components/badge.js';
import { showToast } from '../../components/toast.js';
import { InterruptForm } from '../../shared/interrupt-form.js';
import { useAssistant } from './use-assistant.js';
import { startRun } from '../../shared/start-run.js';
import type { Interrupt, Task, ThreadSummary } from './thread-data.js';
import styles from './thread.module.css';

/** Open interrupts of a thread with answer forms. `settled`: no run is active that may already answer them. */
export function OpenInterrupts({
  thread,
  tasks,
  settled,
}: {
  thread: ThreadSummary;
  tasks: readonly Task[];
  settled: boolean;
}) {
  // A task with a result has all its answers and only waits for the tasks of the same step.
  const openInterrupts = tasks
    .filter(({ result }) => result === null)
    .flatMap(({ name, interrupts }) => interrupts.map((interrupt) => ({ node: name, interrupt })));
  if (openInterrupts.length === 0) return null;
  return (
    <section aria-label="Waiting for input" className={styles['interrupts']}>
      {openInterrupts.map(({ node, interrupt }, at) => (
        <InterruptAnswer
          key={interrupt.id ?? at}
          thread={thread}
          node={node}
          interrupt={interrupt}
          several={openInterrupts.length > 1}
          settled={settled}
        />
      ))}
    </section>
  );
}

function InterruptAnswer({
  thread,
  node,
  interrupt,
  several,
  settled,
}: {
  thread: ThreadSummary;
  node: string;
  interrupt: Interrupt;
  several: boolean;
  settled: boolean;
}) {
  const { assistantId, field } = useAssistant(thread);
  const queries = useQueryClient();
  const answer = async (resume: unknown): Promise<void> => {
    await startRun(thread.thread_id, assistantId!, { command: { resume } });
    showToast('Answer sent. The run continues.');
    await queries.invalidateQueries({ queryKey: ['threads', thread.thread_id] });
  };
  return (
    <div className={styles['action']}>
      <div className={styles['channelHead']}>
        <Badge variant="warn">Waiting for input</Badge>
        <span className="soft">
          Asked by <bdi dir="auto">{node}</bdi>
        </span>
      </div>
      {field}
      {/* Several interrupts are answered by id, one at a time. The others stay open. */}
      <InterruptForm
        interrupts={[interrupt]}
        byId={several}
        isDisabled={assistantId === null || !settled}
        onAnswer={answer}
      />
    </div>
  );
}
