import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from 'langsmith';
import t, { type Test } from 'tap';
import { readProject } from '../../src/config/config.js';
import { dataFile } from '../../src/store/files/data-file.js';
import { keys } from '../../src/store/keys.js';
import { Reader } from '../../src/store/reader.js';
import { modelPrices } from '../../src/wire/model-prices.js';
import { all, langsmithOf, until, type LangSmith } from '../helpers/langsmith.js';
import { lowerLimit } from '../helpers/limits.js';
import { projectOf } from '../helpers/project.js';
import { temporaryFolder, testServer, WITHOUT_TYPES, type TestServer } from '../helpers/server.js';

interface Traced {
  server: TestServer;
  langsmith: ReturnType<LangSmith['clientOf']>;
}

/** The server answers costs as decimal text; the client's type lacks them. */
type Priced = Run & Record<'prompt_cost' | 'completion_cost' | 'total_cost', string>;

/** A server that records runs of some test graphs. */
async function tracing(
  t: Test,
  traces: unknown,
  { graphs = ['tools'], dataFolder = temporaryFolder(t) } = {},
): Promise<Traced> {
  const config = projectOf(t, graphs, { traces });
  const server = await testServer(t, { config, dataFolder, env: WITHOUT_TYPES });
  const { clientOf } = await langsmithOf(server);
  process.env['LANGSMITH_TRACING'] = 'false';
  return { server, langsmith: clientOf() };
}

/** A module of a project; its path. */
function moduleOf(t: Test, code: string): string {
  const file = join(temporaryFolder(t), 'privacy.mjs');
  writeFileSync(file, code);
  return file;
}

/** Runs a graph on a thread, and returns the id of the run. */
async function run({ client }: TestServer, graphId: string, input: Record<string, unknown>): Promise<string> {
  const { thread_id: threadId } = await client.threads.create();
  const { run_id: runId } = await client.runs.create(threadId, graphId, { input });
  await client.runs.join(threadId, runId);
  return runId;
}

async function stepsOf({ langsmith }: Traced, runId: string): Promise<Run[]> {
  const steps = await until(
    () => all(langsmith.listRuns({ traceId: runId })),
    (found) => found.some(({ id, end_time: end }) => id === runId && end != null),
  );
  return steps.sort((one, other) => (one.dotted_order! < other.dotted_order! ? -1 : 1));
}

t.test('inputs and outputs can be hidden', async (t) => {
  const traced = await tracing(t, { hide_inputs: true, hide_outputs: true });
  const steps = await stepsOf(traced, await run(traced.server, 'tools', { city: 'Oslo' }));
  t.equal(steps.length, 3);
  for (const { name, inputs, outputs } of steps) t.strictSame([inputs ?? null, outputs ?? null], [null, null], name);
  t.notMatch(JSON.stringify(steps), /Oslo/);
});

t.test('values at paths are hidden in the inputs and outputs of all steps', async (t) => {
  const traced = await tracing(
    t,
    { hide: ['**.city', 'messages.*.0.kwargs.*', '**.content'] },
    { graphs: ['tools', 'librarian'] },
  );
  const steps = await stepsOf(traced, await run(traced.server, 'tools', { city: 'Oslo' }));
  t.match(steps[0]!.inputs, { city: '[hidden]' });
  t.notMatch(JSON.stringify(steps.map(({ inputs }) => inputs)), /Oslo/);

  const messages = [{ role: 'user', content: 'a secret', name: 'ada' }];
  const asked = await stepsOf(traced, await run(traced.server, 'librarian', { messages, streams: false }));
  t.ok(asked.some(({ run_type: type }) => type === 'llm'));
  t.notMatch(JSON.stringify(asked), /a secret/);
  t.match(asked[0]!.inputs['messages'], [{ content: '[hidden]', name: 'ada' }]);
});

t.test('a function of the project says what is stored of inputs and outputs', async (t) => {
  const module = moduleOf(
    t,
    `export const hide = (value, { kind, name, run_type: type }) => {
      if (name === 'boom') throw new Error('no');
      if (kind === 'outputs') return type === 'tool' ? Promise.resolve(value) : [kind, name];
      return { ...value, city: value.city?.length };
    };`,
  );
  const traced = await tracing(t, { hide: ['**.secret'], hide_with: `${module}:hide` });
  const input = { city: 'Oslo', secret: 'x' };
  const steps = await stepsOf(traced, await run(traced.server, 'tools', input));
  t.match(steps[0], { inputs: { city: 4 }, outputs: { output: ['outputs', 'tools'] } });
  const tool = steps.find(({ run_type: type }) => type === 'tool');
  t.strictSame(tool?.outputs, { hidden: 'traces.hide_with failed' }, 'it must be synchronous');
  t.notMatch(JSON.stringify(steps.map(({ inputs, outputs }) => [inputs, outputs])), /"Oslo"/);
});

t.test('values are hidden when the function for them fails', async (t) => {
  const module = moduleOf(t, `export default () => { throw new Error('broken'); };`);
  const traced = await tracing(t, { hide_with: module });
  const steps = await stepsOf(traced, await run(traced.server, 'tools', { city: 'Oslo' }));
  t.equal(steps.length, 3);
  const hidden = { hidden: 'traces.hide_with failed' };
  for (const { name, inputs, outputs } of steps) t.strictSame([inputs, outputs], [hidden, hidden], name);
});

t.test('a server does not start without the function that hides values', async (t) => {
  const module = moduleOf(t, 'export const hide = 1;');
  for (const [path, reason] of [
    [`${module}:hide`, /has no function "hide"/],
    ['./none.ts:hide', /the file does not exist/],
  ] as const)
    await t.rejects(tracing(t, { hide_with: path }), { code: 'HIDE_FUNCTION_LOAD_FAILED', message: reason });
});

t.test('assistants can have settings of their own', async (t) => {
  const assistants = { tools: { hide_inputs: true, sample_rate: 1 }, plain: false, scalar: true };
  const traced = await tracing(t, { sample_rate: 0, assistants }, { graphs: ['tools', 'trouble', 'scalar'] });
  const { client } = traced.server;
  const plain = await client.assistants.create({ graphId: 'tools', name: 'plain' });
  const runIds: string[] = [];
  for (const [assistantId, input] of [
    ['tools', { city: 'Oslo' }],
    [plain.assistant_id, { city: 'Rome' }],
    ['trouble', { do: 'answer' }],
  ] as const)
    runIds.push(await run(traced.server, assistantId, input));
  const [root] = await stepsOf(traced, runIds[0]!);
  t.strictSame([root!.inputs ?? null, root!.outputs === null], [null, false]);
  const found = await all(traced.langsmith.listRuns({ id: runIds }));
  t.strictSame(
    found.map(({ id }) => id),
    [runIds[0]],
  );
});

t.test('of a value that is too long the beginning is kept', async (t) => {
  const traced = await tracing(t, { max_value_bytes: 4_096 });
  const [root] = await stepsOf(traced, await run(traced.server, 'tools', { city: 'x'.repeat(10_000) }));
  t.match(root!.inputs, { truncated: true, bytes: 10_011, beginning: /^\{"city":"x{1000,}$/ });
  t.match(root!.outputs, { truncated: true });
});

t.test('a share of the runs can be recorded', async (t) => {
  const traced = await tracing(t, { sample_rate: 0.5 });
  const runIds: string[] = [];
  for (let at = 0; at < 20; at += 1) runIds.push(await run(traced.server, 'tools', { city: `${at}` }));
  // The last digits of a run's id are random, and decide.
  const wanted = runIds.filter((runId) => Number.parseInt(runId.slice(-6), 16) < 0x80_0000);
  for (const runId of wanted) await stepsOf(traced, runId);
  const found = await all(traced.langsmith.listRuns({ id: runIds }));
  t.strictSame(found.map(({ id }) => id).sort(), wanted.sort());
});

t.test('model calls have costs, and a run has those of its calls', async (t) => {
  const prices = { 'books-1': { input: 3, output: 15, cache_read: 0.3 } };
  const traced = await tracing(t, { prices }, { graphs: ['librarian'] });
  const messages = [{ role: 'user', content: 'x' }];
  const [root, ...steps] = await stepsOf(traced, await run(traced.server, 'librarian', { messages, streams: false }));
  const model = steps.find(({ run_type: type }) => type === 'llm')! as Priced;
  // 8 plain and 4 cached tokens in, 5 out.
  t.equal(Number(model.prompt_cost), 0.0000252);
  t.equal(Number(model.completion_cost), 0.000075);
  t.equal(Number(model.total_cost), 0.0001002);
  t.equal((root as Priced).total_cost, model.total_cost);
});

t.test('prices come from a list that needs no network', async (t) => {
  const tokens = {
    input: 1_000,
    output: 100,
    total: 1_100,
    cacheRead: 0,
    cacheWrite: 0,
    inputAudio: 0,
    outputAudio: 0,
  };
  await modelPrices.load();
  const costOf = (provider: string | null, model: string | null, more = {}): number | null =>
    modelPrices.usageOf({ provider, model, tokens: { ...tokens, ...more } }, {}).totalCost;
  t.equal(costOf('openai', 'gpt-4o-mini-2024-07-18'), 0.00021);
  t.equal(costOf(null, 'gpt-4o-mini'), 0.00021);
  t.equal(costOf('openai', 'gpt-4o-mini', { cacheRead: 1_000 }), 0.000135);
  t.ok(costOf('amazon_bedrock', 'anthropic.claude-sonnet-4-20250514-v1:0'));
  t.equal(costOf('ollama', 'gpt-4o-mini'), null, 'a model of this machine costs nothing that is known');
  t.equal(costOf('openai', 'no such model'), null);
  t.equal(costOf('openai', null), null);
  t.equal(costOf('openai', 'gpt-4o-mini', { cacheRead: 2_000 }), null, 'counts that contradict each other');
});

t.test('nothing is recorded unless it is wanted', async (t) => {
  for (const traces of [undefined, null, false, { enabled: false }])
    t.equal(readProject(projectOf(t, ['tools'], { traces })).traces, null);
  const { server, langsmith } = await tracing(t, false);
  const runId = await run(server, 'tools', { city: 'Oslo' });
  await t.rejects(langsmith.readRun(runId));
  t.notOk(await langsmith.hasProject({ projectName: 'tools' }));
});

t.test('a restart continues the trace of a run', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await tracing(t, true, { graphs: ['trouble'], dataFolder });
  const { thread_id: threadId } = await first.server.client.threads.create();
  const input = { do: 'sleep', n: 1_000 };
  const { run_id: runId } = await first.server.client.runs.create(threadId, 'trouble', { input });
  const before = await until(
    () => all(first.langsmith.listRuns({ traceId: runId })),
    (steps) => steps.length === 2,
  );
  await first.server.close(0);

  const second = await tracing(t, true, { graphs: ['trouble'], dataFolder });
  const steps = await stepsOf(second, runId);
  const [root] = steps;
  t.match(root, { id: runId, status: 'success', inputs: input, outputs: { done: ['slept 1000'] } });
  t.equal(root!.start_time, before.find(({ id }) => id === runId)!.start_time, 'began with the first attempt');
  const nodes = steps.filter(({ name }) => name === 'misbehave');
  t.equal(nodes.length, 2);
  for (const node of nodes) t.type(node.end_time, 'string', 'every step has an end');
  t.strictSame(new Set(nodes.map(({ status }) => status)), new Set(['error', 'success']));
});

t.test('old and surplus traces are deleted', async (t) => {
  lowerLimit(t, 'traceSweepMs', 50);
  // One trace fills a list.
  lowerLimit(t, 'projectListRunsMax', 2);
  const traced = await tracing(t, { keep_traces: 3 });
  const runIds: string[] = [];
  for (let at = 0; at < 6; at += 1) {
    runIds.push(await run(traced.server, 'tools', { city: `${at}` }));
    await stepsOf(traced, runIds.at(-1)!);
  }
  const { langsmith } = traced;
  const left = await until(
    () => all(langsmith.listRuns({ projectName: 'tools' })),
    (found) => found.length <= 9,
  );
  t.strictSame(
    new Set(left.map(({ trace_id: id }) => id)),
    new Set(runIds.slice(3)),
    'the newest three are left, whole',
  );
  const { id: projectId } = await langsmith.readProject({ projectName: 'tools' });
  const reader = Reader.attach(dataFile(traced.server.dataFolder), null);
  await until(
    () => {
      reader.refresh();
      const lists = [...reader.entries({ prefix: keys.experimentLists() })];
      return Promise.resolve(lists.filter(([, value]) => Buffer.from(value).toString() === projectId).length);
    },
    // The first one stays, although it is empty.
    (lists) => lists === 4,
  );
  await traced.server.close(0);

  const old = await tracing(t, { keep_days: 0.001 }, { dataFolder: traced.server.dataFolder });
  await until(
    () => all(old.langsmith.listRuns({ projectName: 'tools' })),
    (found) => found.length === 9,
  );
  t.pass('none is older than a minute and a half');
});

t.test('old traces of a short-lived project are deleted, others stay', async (t) => {
  lowerLimit(t, 'traceSweepMs', 50);
  lowerLimit(t, 'projectListRunsMax', 2);
  const { langsmith, server } = await tracing(t, false);
  for (const [name, tier] of [
    ['short', 'shortlived'],
    ['long', 'longlived'],
  ] as const) {
    t.equal((await server.post('/sessions', { name, trace_tier: tier })).status, 200);
    for (const days of [40, 30, 20, 1]) {
      const id = randomUUID();
      const time = new Date(Date.now() - days * 86_400_000).toISOString();
      const root = { id, trace_id: id, name: `${days} days old`, run_type: 'chain', start_time: time, end_time: time };
      const step = { ...root, id: randomUUID(), parent_run_id: id, name: `step, ${days} days old` };
      t.equal(
        (await server.post('/runs/batch', { post: [root, step].map((run) => ({ ...run, session_name: name })) }))
          .status,
        202,
      );
    }
  }
  const namesIn = async (projectName: string): Promise<string[]> =>
    (await all(langsmith.listRuns({ projectName }))).map(({ name }) => name).sort();
  await until(
    () => namesIn('short'),
    (names) => names.length === 2,
  );
  t.strictSame(await namesIn('short'), ['1 days old', 'step, 1 days old']);
  t.equal((await namesIn('long')).length, 8);
  t.equal((await langsmith.readProject({ projectName: 'short', includeStats: true })).run_count, 1);
});

t.test('traces go with their threads after recording was turned off', async (t) => {
  const dataFolder = temporaryFolder(t);
  const on = await tracing(t, true, { dataFolder });
  const runId = await run(on.server, 'tools', { city: 'Oslo' });
  const [root] = await stepsOf(on, runId);
  await on.server.close(0);
  const off = await tracing(t, false, { dataFolder });
  t.equal((await off.langsmith.readRun(runId)).id, runId);
  await off.server.client.threads.delete((root!.extra as { metadata: { thread_id: string } }).metadata.thread_id);
  await until(
    () => all(off.langsmith.listRuns({ traceId: runId })),
    (left) => left.length === 0,
  );
  t.pass('the trace is deleted');
});

t.test('names what is wrong', (t) => {
  const cases: [unknown, RegExp][] = [
    ['yes', /traces: must be true, false or an object/],
    [{ sample_rate: 2 }, /traces\.sample_rate: must be a number from 0 to 1/],
    [{ hide_inputs: 'all' }, /traces\.hide_inputs: must be true or false/],
    [{ max_value_bytes: 1 }, /traces\.max_value_bytes: must be a number from 1024/],
    [{ keep_traces: 0 }, /traces\.keep_traces/],
    [{ keep_days: -1 }, /traces\.keep_days/],
    [{ export: 'all' }, /traces\.export: must be one of none, spans, content/],
    [{ prices: [] }, /traces\.prices: must be an object/],
    [{ prices: { m: 3 } }, /traces\.prices\.m: must be an object/],
    [{ prices: { m: { input: 3 } } }, /traces\.prices\.m\.output: must be a number/],
    [{ prices: { m: { input: 3, output: 1, cached: 1 } } }, /traces\.prices\.m\.cached: is not one of/],
    [{ hide: 'messages' }, /traces\.hide: must be a list of at most 100 paths/],
    [{ hide: ['a..b'] }, /traces\.hide: "a\.\.b" must have 1 to 20 names/],
    [{ hide: ['**.a.**.b'] }, /traces\.hide: .* "\*\*" once at most/],
    [{ hide: ['a.**'] }, /traces\.hide: /],
    [{ hide_with: 3 }, /traces\.hide_with: must be "path:function", such as/],
    [{ record_calls: 'sometimes' }, /traces\.record_calls: must be true, false, "on_error" or a share/],
    [{ record_calls: 1.5 }, /traces\.record_calls: must be/],
    [{ record_calls: true, hide: ['a'] }, /traces\.record_calls: cannot be combined with hide, because recordings/],
    [{ record_calls: 'on_error', hide_inputs: true }, /traces\.record_calls: cannot be combined with hide_inputs/],
    [
      { hide_outputs: true, assistants: { tools: { record_calls: 0.1 } } },
      /traces\.assistants\.tools\.record_calls: cannot be combined with hide_outputs/,
    ],
    [{ assistants: [] }, /traces\.assistants: must be an object/],
    [{ assistants: { tools: 1 } }, /traces\.assistants\.tools: must be true, false or an object/],
    [{ assistants: { tools: { keep_days: 1 } } }, /traces\.assistants\.tools\.keep_days: is not one of/],
    [{ assistants: { tools: { sample_rate: 2 } } }, /traces\.assistants\.tools\.sample_rate: must be a number/],
    [{ sampel_rate: 1 }, /traces\.sampel_rate.*sample_rate/],
  ];
  for (const [traces, message] of cases) t.throws(() => readProject(projectOf(t, ['tools'], { traces })), { message });
  t.strictSame(readProject(projectOf(t, ['tools'], { traces: { keep_days: null, keep_traces: null } })).traces, {
    sampleRate: 1,
    hideInputs: false,
    hideOutputs: false,
    hide: [],
    hideFunction: null,
    assistants: new Map(),
    prices: {},
    valueBytesMax: 65_536,
    calls: 0,
    keepTraces: null,
    keepMs: null,
    answers: true,
    export: 'spans',
    evaluate: [],
  });
  t.end();
});
