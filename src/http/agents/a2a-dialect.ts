import { isoTime } from '../../base/clock.js';
import type { Task, TaskMessage, TaskPart, TaskState } from '../../services/agents/a2a-tasks.js';

/** Serializes responses for one version of the A2A protocol. All results are JSON texts. */
export interface Dialect {
  /** Response to `message/send`. */
  messageResult(task: Task): string;
  taskResult(task: Task): string;
  /** Stream events. */
  taskEvent(task: Task): string;
  statusEvent(task: Task, isLast: boolean): string;
  artifactEvent(task: Task): string;
}

const upper = (state: TaskState): string => `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`;

function createDialect(isV0_3: boolean): Dialect {
  const kind = (name: string): string => (isV0_3 ? `"kind":"${name}",` : '');
  const role = (fromUser: boolean): string =>
    isV0_3 ? (fromUser ? 'user' : 'agent') : fromUser ? 'ROLE_USER' : 'ROLE_AGENT';
  const part = (one: TaskPart): string =>
    'text' in one ? `{${kind('text')}"text":${JSON.stringify(one.text)}}` : `{${kind('data')}"data":${one.json}}`;
  const parts = (list: readonly TaskPart[]): string => `[${list.map(part).join(',')}]`;
  const ids = ({ id, contextId }: Task): string =>
    `"taskId":${JSON.stringify(id)},"contextId":${JSON.stringify(contextId)}`;
  const message = (task: Task, one: TaskMessage): string =>
    `{${kind('message')}"messageId":${JSON.stringify(one.id)},${ids(task)},"role":"${role(one.fromUser)}","parts":${parts(one.parts)}}`;
  const status = (task: Task): string => {
    const statusMessage =
      task.statusParts.length === 0
        ? ''
        : `,"message":${message(task, { id: `${task.id}-status`, fromUser: false, parts: task.statusParts })}`;
    return `{"state":"${isV0_3 ? task.state : upper(task.state)}","timestamp":"${isoTime(task.updatedAtMs)}"${statusMessage}}`;
  };
  const artifact = (task: Task): string =>
    `{"artifactId":"${task.id}-output","name":"output","parts":${parts(task.artifactParts)}}`;
  const taskJson = (task: Task): string => {
    const made = task.artifactParts.length === 0 ? '' : `,"artifacts":[${artifact(task)}]`;
    const history =
      task.history.length === 0 ? '' : `,"history":[${task.history.map((one) => message(task, one)).join(',')}]`;
    return `{${kind('task')}"id":${JSON.stringify(task.id)},"contextId":${JSON.stringify(task.contextId)},"status":${status(task)}${made}${history}}`;
  };
  const wrapped = (name: string, json: string): string => (isV0_3 ? json : `{"${name}":${json}}`);
  return {
    messageResult: (task) => wrapped('task', taskJson(task)),
    taskResult: taskJson,
    taskEvent: (task) => wrapped('task', taskJson(task)),
    statusEvent: (task, isLast) =>
      wrapped(
        'statusUpdate',
        `{${kind('status-update')}${ids(task)},"status":${status(task)}${isV0_3 ? `,"final":${isLast}` : ''}}`,
      ),
    artifactEvent: (task) =>
      wrapped(
        'artifactUpdate',
        `{${kind('artifact-update')}${ids(task)},"artifact":${artifact(task)},"append":false,"lastChunk":true}`,
      ),
  };
}

/** Version 1.0: enumerations in upper case, and results wrapped under their names. */
export const V1_0 = createDialect(false);
/** Version 0.3: every object has a `kind`. */
export const V0_3 = createDialect(true);
