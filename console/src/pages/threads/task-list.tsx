import type { ReactNode } from 'react';
import { Badge } from '../../components/badge.js';
import { JsonTree } from '../../components/json-tree.js';
import { ErrorNote } from '../../components/note.js';
import type { Task } from './thread-data.js';
import styles from './thread.module.css';

/** What runs at a checkpoint, or ran. `more`: what else can be done with one. */
export function TaskList({ tasks, more }: { tasks: readonly Task[]; more?: (task: Task) => ReactNode }) {
  return (
    <>
      {tasks.map((task) => (
        <div key={task.id} className={styles['action']}>
          <div className={styles['channelHead']}>
            <h3 dir="auto">{task.name}</h3>
            {task.interrupts.length > 0 ? <Badge look="warn">asks</Badge> : null}
            {task.checkpoint === null ? null : <Badge>graph in the graph</Badge>}
            {more?.(task)}
          </div>
          {task.error === null ? null : <ErrorNote error={task.error} />}
          {task.interrupts.length === 0 ? null : (
            <JsonTree label={`What ${task.name} asks`} value={task.interrupts} openTo={2} rows={8} />
          )}
          {task.result === null ? null : <JsonTree label={`What ${task.name} wrote`} value={task.result} rows={8} />}
        </div>
      ))}
    </>
  );
}
