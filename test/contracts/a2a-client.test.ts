import { randomUUID } from 'node:crypto';
import { Role, TaskState, type SendMessageRequest, type Task } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import t from 'tap';
import { projectOf } from '../helpers/project.js';
import { testServer } from '../helpers/server.js';

t.test('the official client finds an agent by its card, and talks to it', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['chat'], {}) });
  const client = await new ClientFactory().createFromUrl(`${server.url}/a2a/chat/.well-known/agent-card.json`, '');
  const said = { message: { messageId: randomUUID(), role: Role.ROLE_USER, parts: [{ content: { $case: 'text', value: 'hello' } }] } } as unknown as SendMessageRequest;
  const task = await client.sendMessage(said) as Task;
  t.equal(task.status!.state, TaskState.TASK_STATE_COMPLETED);
  t.match(task.artifacts, [{ parts: [{ content: { $case: 'text', value: 'answer 1' } }] }]);
  const seen: unknown[] = [];
  for await (const event of client.sendMessageStream(said)) seen.push(event);
  t.equal(seen.length, 4);
});
