import { useQueryClient } from '@tanstack/react-query';
import { OpenInterrupts as SharedOpenInterrupts } from '../../shared/open-interrupts.js';
import { useAssistant } from './use-assistant.js';
import type { Task, ThreadSummary } from './thread-data.js';

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
  const { assistantId, field } = useAssistant(thread);
  const queries = useQueryClient();
  return (
    <SharedOpenInterrupts
      threadId={thread.thread_id}
      tasks={tasks}
      assistantId={assistantId}
      assistantField={field}
      settled={settled}
      onAnswered={() => queries.invalidateQueries({ queryKey: ['threads', thread.thread_id] })}
    />
  );
}
