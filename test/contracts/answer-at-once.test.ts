import { randomUUID } from 'node:crypto';
import t from 'tap';
import { readEvents } from '../helpers/protocol.js';
import { configWith, testServer } from '../helpers/server.js';

/** Enough that a question which is told too early is met: it used to be one answer in four to twenty. */
const ROUNDS = 30;

const server = await testServer(t, { config: configWith(t, 'questions') });
const { client } = server;

const command = async (threadId: string, method: string, params: object): Promise<{ type: string; error?: string }> =>
  (await server.post(`/threads/${threadId}/commands`, { id: 7, method, params })).json() as Promise<{ type: string }>;

t.test('takes an answer that comes the moment the question is told, by the second protocol', async (t) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const threadId = randomUUID();
    const questions = readEvents(
      server.url,
      threadId,
      { channels: ['input'] },
      // Both nodes ask.
      (
        (asked) => () =>
          (asked += 1) === 2
      )(0),
    );
    await command(threadId, 'run.start', { assistant_id: 'questions', input: {} });
    const ids = (await questions).map(({ params }) => params.data['interrupt_id'] as string);
    const { values, next } = await client.threads.getState(threadId);
    t.same(next.toSorted(), ['ada', 'bob'], 'the state shows what the event says');
    t.notOk((values as { answers?: string[] }).answers?.length);
    const answered = await command(threadId, 'input.respond', {
      responses: ids.map((id) => ({ namespace: [], interrupt_id: id, response: 'yes' })),
    });
    t.match(answered, { type: 'success' }, `round ${round}`);
    await readEvents(
      server.url,
      threadId,
      { channels: ['lifecycle'] },
      ({ params }) => params.data.event === 'completed' && params.namespace.length === 0,
    );
    t.same((await client.threads.getState(threadId)).values, { answers: ['ada: yes', 'bob: yes', 'end'] });
  }
});

t.test('takes an answer that comes the moment the question is told, by the first protocol', async (t) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { thread_id: threadId } = await client.threads.create();
    const asked: Record<string, string> = {};
    for await (const { event, data } of client.runs.stream(threadId, 'questions', {
      input: {},
      streamMode: 'values',
    })) {
      const interrupts = (data as { __interrupt__?: { id: string }[] }).__interrupt__ ?? [];
      if (event === 'values') for (const { id } of interrupts) asked[id] = 'yes';
      // The stream is left, and the run asked for at once: it is refused while another is under way.
      if (Object.keys(asked).length === 2) break;
    }
    t.same(
      await client.runs.wait(threadId, 'questions', { command: { resume: asked }, multitaskStrategy: 'reject' }),
      { answers: ['ada: yes', 'bob: yes', 'end'] },
      `round ${round}`,
    );
  }
});
