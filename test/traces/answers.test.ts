import t from 'tap';
import { humanAnswers } from '../../src/domain/human-answers.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { testServer, WITHOUT_TYPES, type TestServer } from '../helpers/server.js';

t.test('reads decisions in the forms of LangChain and agent-inbox', (t) => {
  const none = { value: null, score: null, correction: null, comment: null };
  const action = { name: 'send_mail', args: { to: 'ada' } };
  const cases: [unknown, object[]][] = [
    [{ decisions: [{ type: 'approve' }] }, [{ ...none, value: 'approve', score: 1 }]],
    [
      {
        decisions: [
          { type: 'edit', editedAction: action },
          { type: 'reject', message: 'not her' },
        ],
      },
      [
        { ...none, value: 'edit', score: 0, correction: action },
        { ...none, value: 'reject', score: 0, comment: 'not her' },
      ],
    ],
    [
      { decisions: [{ type: 'edit', edited_action: action }] },
      [{ ...none, value: 'edit', score: 0, correction: action }],
    ],
    [[{ type: 'accept', args: null }], [{ ...none, value: 'approve', score: 1 }]],
    [
      [{ type: 'edit', args: { action: 'a', args: {} } }],
      [{ ...none, value: 'edit', score: 0, correction: { action: 'a', args: {} } }],
    ],
    [[{ type: 'response', args: 'later' }], [{ ...none, value: 'respond', score: 0, comment: 'later' }]],
    [[{ type: 'ignore', args: null }], [{ ...none, value: 'reject', score: 0 }]],
    [true, [{ ...none, value: true, score: 1 }]],
    ['Oslo', [{ ...none, value: 'Oslo' }]],
    ['x'.repeat(201), [{ ...none, comment: 'x'.repeat(201) }]],
    [{ city: 'Oslo' }, [{ ...none, correction: { city: 'Oslo' } }]],
    [[1, 2], [none]],
    [
      { ['0'.repeat(32)]: true, ['1'.repeat(32)]: false },
      [
        { ...none, value: true, score: 1 },
        { ...none, value: false, score: 0 },
      ],
    ],
    [{ type: 'constructor' }, [{ ...none, correction: { type: 'constructor' } }]],
    [null, []],
    [undefined, []],
  ];
  for (const [resume, answers] of cases) t.strictSame(humanAnswers(resume), answers, JSON.stringify(resume));
  t.equal(humanAnswers({ decisions: Array.from({ length: 500 }, () => ({ type: 'approve' })) }).length, 100);
  t.end();
});

const DECISIONS = {
  decisions: [
    { type: 'reject', message: 'Keep it.' },
    { type: 'edit', editedAction: { name: 'send_mail', args: { to: 'grace@example.org' } } },
  ],
};

/** Starts a run that asks, answers it, and returns the run that asked. */
async function answered({ client }: TestServer, resume: unknown): Promise<string> {
  const { thread_id: threadId } = await client.threads.create();
  const { run_id: runId } = await client.runs.create(threadId, 'decide', { input: { task: 'tidy up' } });
  await client.runs.join(threadId, runId);
  await client.runs.wait(threadId, 'decide', { command: { resume } });
  return runId;
}

t.test('records what a person decided as feedback on the run that asked', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['decide'], { traces: true }), env: WITHOUT_TYPES });
  const { clientOf } = await langsmithOf(server);
  const langsmith = clientOf();
  const runId = await answered(server, DECISIONS);
  const found = await until(
    () => all(langsmith.listFeedback({ runIds: [runId] })),
    ({ length }) => length === 2,
  );
  const byValue = new Map(found.map((one) => [one.value, one]));
  t.match(byValue.get('reject'), { key: 'answer', score: 0, comment: 'Keep it.', correction: null });
  t.match(byValue.get('edit'), {
    key: 'answer',
    score: 0,
    comment: null,
    correction: { name: 'send_mail', args: { to: 'grace@example.org' } },
    feedback_source: { type: 'app' },
  });
  const [edited] = await all(
    langsmith.listRuns({ projectName: 'decide', filter: 'and(eq(feedback_key, "answer"), eq(feedback_score, 0))' }),
  );
  t.equal(edited!.id, runId);
});

t.test('makes examples of corrections by a rule', async (t) => {
  const server = await testServer(t, { config: projectOf(t, ['decide'], { traces: true }), env: WITHOUT_TYPES });
  const { clientOf } = await langsmithOf(server);
  const langsmith = clientOf();
  const dataset = await langsmith.createDataset('mails that people wanted');
  const made = await server.post('/runs/rules', {
    display_name: 'Corrected actions',
    trigger: 'feedback',
    filter: 'and(eq(feedback_key, "answer"), eq(feedback_score, 0))',
    add_to_dataset_id: dataset.id,
    add_to_dataset_prefer_correction: true,
  });
  t.equal(made.status, 200, await made.text());
  const runId = await answered(server, DECISIONS);
  const [example] = await until(
    () => all(langsmith.listExamples({ datasetId: dataset.id })),
    ({ length }) => length === 1,
  );
  t.match(example, {
    source_run_id: runId,
    inputs: { task: 'tidy up' },
    outputs: { name: 'send_mail', args: { to: 'grace@example.org' } },
  });
});

t.test('leaves out what is hidden, and records nothing if it is told so', async (t) => {
  const config = projectOf(t, ['decide'], { traces: { hide: ['**.to', 'comment'] } });
  const hiding = await testServer(t, { config, env: WITHOUT_TYPES });
  const { clientOf } = await langsmithOf(hiding);
  const runId = await answered(hiding, DECISIONS);
  const found = await until(
    () => all(clientOf().listFeedback({ runIds: [runId] })),
    ({ length }) => length === 2,
  );
  t.match(
    found.find(({ value }) => value === 'edit'),
    { correction: { args: { to: '[hidden]' } } },
  );

  const closed = await testServer(t, {
    config: projectOf(t, ['decide'], { traces: { hide_inputs: true } }),
    env: WITHOUT_TYPES,
  });
  const ofClosed = (await langsmithOf(closed)).clientOf();
  const answerTo = async (resume: unknown): Promise<unknown> => {
    const asked = await answered(closed, resume);
    const [one] = await until(
      () => all(ofClosed.listFeedback({ runIds: [asked] })),
      ({ length }) => length === 1,
    );
    return one;
  };
  t.match(await answerTo('my secret'), { key: 'answer', value: null, comment: null }, 'a short text is hidden, too');
  t.match(await answerTo(true), { value: true, score: 1 }, 'a decision is not');

  const off = await testServer(t, {
    config: projectOf(t, ['decide'], { traces: { answers: false } }),
    env: WITHOUT_TYPES,
  });
  const other = (await langsmithOf(off)).clientOf();
  const silent = await answered(off, DECISIONS);
  // The trace of the answer is stored after the feedback would be.
  await until(
    () => all(other.listRuns({ projectName: 'decide', isRoot: true, filter: 'eq(status, "success")' })).catch(() => []),
    ({ length }) => length === 2,
  );
  t.strictSame(await all(other.listFeedback({ runIds: [silent] })), []);
});
