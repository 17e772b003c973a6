import { randomUUID } from 'node:crypto';
import { Role, TaskState, type SendMessageRequest, type Task } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import t from 'tap';
import { Store } from '../../src/store/store.js';
import { projectOf } from '../helpers/project.js';
import { testServer, WITHOUT_TYPES } from '../helpers/server.js';

const said = (): SendMessageRequest =>
  ({
    message: { messageId: randomUUID(), role: Role.ROLE_USER, parts: [{ content: { $case: 'text', value: 'hello' } }] },
  }) as unknown as SendMessageRequest;

const server = await testServer(t, { config: projectOf(t, ['chat'], {}), env: WITHOUT_TYPES });

t.test('lets the official client find an agent by its card and talk to it', async (t) => {
  const client = await new ClientFactory().createFromUrl(`${server.url}/a2a/chat/.well-known/agent-card.json`, '');
  const task = (await client.sendMessage(said())) as Task;
  t.equal(task.status!.state, TaskState.TASK_STATE_COMPLETED);
  t.match(task.artifacts, [{ parts: [{ content: { $case: 'text', value: 'answer 1' } }] }]);
  const seen: unknown[] = [];
  for await (const event of client.sendMessageStream(said())) seen.push(event);
  t.equal(seen.length, 4);
});

t.test('reports the result of a run that ends while its start is being stored', async (t) => {
  const client = await new ClientFactory().createFromUrl(`${server.url}/a2a/chat/.well-known/agent-card.json`, '');
  // A slow disk: what is written meanwhile is written together.
  const write = Store.prototype.write;
  let together: Promise<void> | null = null;
  Store.prototype.write = async function (commit) {
    together ??= new Promise((resolve) => {
      setTimeout(() => {
        together = null;
        resolve();
      }, 400);
    });
    await together;
    return write.call(this, commit);
  };
  t.teardown(() => {
    Store.prototype.write = write;
  });
  const kinds: unknown[] = [];
  for await (const { payload } of client.sendMessageStream(said())) kinds.push(payload?.$case);
  t.strictSame(kinds, ['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);
  t.match(await client.sendMessage(said()), { status: { state: TaskState.TASK_STATE_COMPLETED }, artifacts: [{}] });
});
