import { isoTime } from '../../base/clock.js';
import type { Task, TaskMessage, TaskPart, TaskState } from '../../services/agents/a2a-tasks.js';

/** Serializes responses for one version of the A2A protocol. All results are JSON texts. */
export interface Dialect {
  /** Response to `message/send`. */
  sent(task: Task): string;
  task(task: Task): string;
  /** Stream events. */
  began(task: Task): string;
  status(task: Task, isLast: boolean): string;
  artifact(task: Task): string;
}

const upper = (state: TaskState): string => `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`;

function dialect(isOld: boolean): Dialect {
  const kind = (name: string): string => (isOld ? `"kind":"${name}",` : '');
  const role = (fromUser: boolean): string =>
    isOld ? (fromUser ? 'user' : 'agent') : fromUser ? 'ROLE_USER' : 'ROLE_AGENT';
  const part = (one: TaskPart): string =>
    'text' in one ? `{${kind('text')}"text":${JSON.stringify(one.text)}}` : `{${kind('data')}"data":${one.json}}`;
  const parts = (list: readonly TaskPart[]): string => `[${list.map(part).join(',')}]`;
  const ids = ({ id, contextId }: Task): string =>
    `"taskId":${JSON.stringify(id)},"contextId":${JSON.stringify(contextId)}`;
  const message = (task: Task, one: TaskMessage): string =>
    `{${kind('message')}"messageId":${JSON.stringify(one.id)},${ids(task)},"role":"${role(one.fromUser)}","parts":${parts(one.parts)}}`;
  const status = (task: Task): string => {
    const said =
      task.statusParts.length === 0
        ? ''
        : `,"message":${message(task, { id: `${task.id}-status`, fromUser: false, parts: task.statusParts })}`;
    return `{"state":"${isOld ? task.state : upper(task.state)}","timestamp":"${isoTime(task.updatedAtMs)}"${said}}`;
  };
  const artifact = (task: Task): string =>
    `{"artifactId":"${task.id}-output","name":"output","parts":${parts(task.artifactParts)}}`;
  const whole = (task: Task): string => {
    const made = task.artifactParts.length === 0 ? '' : `,"artifacts":[${artifact(task)}]`;
    const history =
      task.history.length === 0 ? '' : `,"history":[${task.history.map((one) => message(task, one)).join(',')}]`;
    return `{${kind('task')}"id":${JSON.stringify(task.id)},"contextId":${JSON.stringify(task.contextId)},"status":${status(task)}${made}${history}}`;
  };
  const wrapped = (name: string, json: string): string => (isOld ? json : `{"${name}":${json}}`);
  return {
    sent: (task) => wrapped('task', whole(task)),
    task: whole,
    began: (task) => wrapped('task', whole(task)),
    status: (task, isLast) =>
      wrapped(
        'statusUpdate',
        `{${kind('status-update')}${ids(task)},"status":${status(task)}${isOld ? `,"final":${isLast}` : ''}}`,
      ),
    artifact: (task) =>
      wrapped(
        'artifactUpdate',
        `{${kind('artifact-update')}${ids(task)},"artifact":${artifact(task)},"append":false,"lastChunk":true}`,
      ),
  };
}

/** Version 1.0: enumerations in upper case, and results wrapped under their names. */
export const NEW = dialect(false);
/** Version 0.3: every object has a `kind`. */
export const OLD = dialect(true);
