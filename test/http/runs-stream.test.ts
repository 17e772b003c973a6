import t from 'tap';
import { configWith, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');

t.test('streams metadata first and then updates of a stateless run', async (t) => {
  const server = await testServer(t, { config });
  const events = [];
  for await (const event of server.client.runs.stream(null, 'echo', { input: { text: 'hi' }, streamMode: 'updates' }))
    events.push(event);
  t.match(events[0], { event: 'metadata', data: { attempt: 1, run_id: String } });
  t.strictSame(
    events.slice(1).map(({ event, data }) => [event, data]),
    [
      ['updates', { first: { steps: ['first hi'] } }],
      ['updates', { second: { steps: ['second hi'] } }],
    ],
  );
});
