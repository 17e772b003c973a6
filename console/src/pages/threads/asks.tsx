import { useQueryClient } from '@tanstack/react-query';
import { Badge } from '../../components/badge.js';
import { say } from '../../components/toast.js';
import { Questions } from '../../shared/questions.js';
import { useAssistant } from './assistant-choice.js';
import { startRun, type Interrupt, type Task, type ThreadHead } from './thread-data.js';
import styles from './thread.module.css';

/** What the thread waits for, each with its answer. `settled`: no run is under way, which may be answering already. */
export function Asks({ thread, tasks, settled }: { thread: ThreadHead; tasks: readonly Task[]; settled: boolean }) {
  // A task that has answers for all it asked has written something; it only waits for those beside it.
  const asked = tasks
    .filter(({ result }) => result === null)
    .flatMap(({ name, interrupts }) => interrupts.map((interrupt) => ({ node: name, interrupt })));
  if (asked.length === 0) return null;
  return (
    <section aria-label="Waits for an answer" className={styles['asks']}>
      {asked.map(({ node, interrupt }, at) => (
        <Ask
          key={interrupt.id ?? at}
          thread={thread}
          node={node}
          interrupt={interrupt}
          several={asked.length > 1}
          settled={settled}
        />
      ))}
    </section>
  );
}

function Ask({
  thread,
  node,
  interrupt,
  several,
  settled,
}: {
  thread: ThreadHead;
  node: string;
  interrupt: Interrupt;
  several: boolean;
  settled: boolean;
}) {
  const { assistantId, field } = useAssistant(thread);
  const queries = useQueryClient();
  const answer = async (resume: unknown): Promise<void> => {
    await startRun(thread.thread_id, assistantId!, { command: { resume } });
    say('Answered: the run goes on.');
    await queries.invalidateQueries({ queryKey: ['threads', thread.thread_id] });
  };
  return (
    <div className={styles['action']}>
      <div className={styles['channelHead']}>
        <Badge look="warn">waits for an answer</Badge>
        <span className="soft">
          Asked in <bdi dir="auto">{node}</bdi>
        </span>
      </div>
      {field}
      {/* Of several at once each is answered by its id; the others go on waiting. */}
      <Questions asked={[interrupt]} byId={several} isDisabled={assistantId === null || !settled} onAnswer={answer} />
    </div>
  );
}
