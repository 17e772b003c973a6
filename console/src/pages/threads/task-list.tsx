import type { ReactNode } from 'react';
import { Badge } from '../../components/badge.js';
import { JsonTree } from '../../components/json-tree.js';
import { ErrorNote } from '../../components/note.js';
import type { Task } from './thread-data.js';
import styles from './thread.module.css';

/** The tasks of a checkpoint. `extra`: extra content for a task. */
export function TaskList({ tasks, extra }: { tasks: readonly Task[]; extra?: (task: Task) => ReactNode }) {
  return (
    <>
      {tasks.map((task) => (
        <div key={task.id} className={styles['action']}>
          <div className={styles['channelHead']}>
            <h3 dir="auto">{task.name}</h3>
            {task.interrupts.length > 0 ? <Badge variant="warn">Interrupted</Badge> : null}
            {task.checkpoint === null ? null : <Badge>Subgraph</Badge>}
            {extra?.(task)}
          </div>
          {task.error === null ? null : <ErrorNote error={task.error} />}
          {task.interrupts.length === 0 ? null : (
            <JsonTree label={`Interrupts of ${task.name}`} value={task.interrupts} openTo={2} rows={8} />
          )}
          {task.result === null ? null : <JsonTree label={`Writes of ${task.name}`} value={task.result} rows={8} />}
        </div>
      ))}
    </>
  );
}
