import t, { type Test } from 'tap';
import { until } from '../helpers/langsmith.js';
import { lowerLimit } from '../helpers/limits.js';
import { temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

// A project begins another list when the last one is full. Each test sends the same runs to a project with one list and
// to a project with several, and compares what is read of them.

const folder = temporaryFolder(t);
let server = await testServer(t, { dataFolder: folder });

const openAgain = (): Promise<TestServer> => testServer(t, { dataFolder: folder });

const TRACES = 12;
const STEPS = 2;
const PROJECTS = ['whole', 'split'] as const;
type Project = (typeof PROJECTS)[number];

type Json = Record<string, unknown>;

async function send(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function read(path: string, body?: unknown): Promise<unknown> {
  const { status, text } = await send(body === undefined ? 'GET' : 'POST', path, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return JSON.parse(text);
}

/** `trace` and `step` begin at 0; step 0 is the root. */
function idOf(project: Project, trace: number, step = 0): string {
  const [first, second] = [project === 'whole' ? '1' : '2', String(trace).padStart(3, '0')];
  return `${first}0000000-0000-4000-8${second}-00000000000${step}`;
}

const timeOf = (minute: number, second = 0): string => new Date(Date.UTC(2026, 0, 1, 0, minute, second)).toISOString();

/** The runs of a trace, with an error in every third. Steps are model calls. */
function runsOf(project: Project, trace: number): Json[] {
  return Array.from({ length: STEPS + 1 }, (_, step) => ({
    id: idOf(project, trace, step),
    trace_id: idOf(project, trace),
    ...(step === 0 ? {} : { parent_run_id: idOf(project, trace) }),
    name: `${step === 0 ? 'root' : 'step'} ${trace}`,
    run_type: step === 0 ? 'chain' : 'llm',
    session_name: project,
    start_time: timeOf(trace * 10, step),
    end_time: timeOf(trace * 10, 5 + trace),
    error: step === 0 && trace % 3 === 0 ? 'it failed' : null,
    inputs: { question: `what is ${trace}?` },
    outputs: step === 0 ? {} : { usage_metadata: { input_tokens: trace, output_tokens: 1, total_tokens: trace + 1 } },
    extra: { metadata: { thread_id: `thread ${trace % 4}`, ls_model_name: `model ${trace % 2}` } },
  }));
}

const sessionIds = new Map<Project, string>();

for (const project of PROJECTS) {
  await t.test(`sends runs to ${project}`, async (t) => {
    if (project === 'split') lowerLimit(t, 'projectListRunsMax', 7);
    for (let trace = 0; trace < TRACES; trace += 1) {
      const { status } = await send('POST', '/runs/batch', { post: runsOf(project, trace) });
      t.equal(status, 202);
    }
    for (let trace = 0; trace < TRACES; trace += 2) {
      const feedback = { run_id: idOf(project, trace), key: 'liked', score: trace / 10, comment: `remark ${trace}` };
      t.equal((await send('POST', '/feedback', feedback)).status, 200);
    }
    const [session] = (await read(`/sessions?name=${project}`)) as { id: string }[];
    sessionIds.set(project, session!.id);
  });
}

/** What a project answers, without what differs by its nature. */
function comparable(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(sessionIds.get('whole')!, 'session')
    .replaceAll(sessionIds.get('split')!, 'session')
    .replaceAll(/[12](0000000-0000-4000-8)/g, 'x$1')
    .replaceAll(/"(whole|split)"/g, '"project"')
    .replaceAll(/"(next|created_at|modified_at|last_queued_at|start_time_of_session)":"[^"]*"/g, '"$1":"…"');
  return JSON.parse(text);
}

/** Reads of one project. Pages are read to their end. */
async function readAll(project: Project): Promise<Json> {
  const session = [sessionIds.get(project)!];
  const pages = async (query: Json): Promise<unknown[]> => {
    const found: Json[] = [];
    let cursor: string | null = null;
    do {
      const page = (await read('/runs/query', { session, limit: 4, ...query, cursor })) as {
        runs: Json[];
        cursors: { next: string | null };
      };
      found.push(
        ...page.runs.map(({ id, name, status, total_tokens, feedback_stats, start_time }) => ({
          ...{ id, name, status, total_tokens, feedback_stats, start_time },
        })),
      );
      cursor = page.cursors.next;
    } while (cursor !== null);
    return found;
  };
  const feedback = (await read(`/feedback?session=${session[0]!}&limit=100`)) as Json[];
  const { start_time: _, ...view } = (await read(`/sessions/${session[0]!}?include_stats=true`)) as Json;
  return {
    view: { ...view, id: null, name: null },
    newestFirst: await pages({}),
    oldestFirst: await pages({ order: 'asc' }),
    roots: await pages({ is_root: true }),
    failed: await pages({ is_root: true, filter: 'eq(status, "error")' }),
    liked: await pages({ filter: 'and(eq(feedback_key, "liked"), gt(feedback_score, 0.3))' }),
    stepsOfFailed: await pages({ is_root: false, trace_filter: 'eq(status, "error")' }),
    withStep: await pages({ is_root: true, tree_filter: 'eq(name, "step 5")' }),
    inTime: await pages({ start_time: timeOf(25), end_time: timeOf(61) }),
    text: await pages({ query: 'what is 7' }),
    stats: await read('/runs/stats', { session, is_root: true }),
    statsInTime: await read('/runs/stats', { session, is_root: true, start_time: timeOf(25), end_time: timeOf(61) }),
    groups: await read('/runs/group', { session_id: session[0], group_by: 'conversation' }),
    groupStats: await read('/runs/group/stats', { session_id: session[0], group_by: 'conversation' }),
    metadata: await read(`/sessions/${session[0]!}/metadata`),
    feedback: feedback.map(({ key, score, comment, run_id }) => ({ key, score, comment, run_id })),
    traceRuns: await pages({ trace: idOf(project, 8) }),
    children: await pages({ parent_run: idOf(project, 3) }),
    run: await read(`/runs/${idOf(project, 4)}`),
    series: await read('/runs/series', {
      session,
      start_time: timeOf(0),
      end_time: timeOf(120),
      interval_seconds: 600,
    }),
    seriesOfSteps: await read('/runs/series', {
      ...{ session, start_time: timeOf(0), end_time: timeOf(120), interval_seconds: 3_600 },
      ...{ is_root: false, filter: 'eq(run_type, "llm")', group_by: 'model' },
    }),
    seriesByStatus: await read('/runs/series', {
      ...{ session, start_time: timeOf(15), end_time: timeOf(95), group_by: 'status' },
    }),
  };
}

async function sameAnswers(t: Test): Promise<void> {
  const [whole, split] = [await readAll('whole'), await readAll('split')];
  t.ok((whole['newestFirst'] as unknown[]).length >= 30);
  for (const name of Object.keys(whole)) t.strictSame(comparable(split[name]), comparable(whole[name]), name);
}

t.test('reads a project of several lists like one with a single list', sameAnswers);

t.test('counts over time what the runs say', async (t) => {
  const { series, interval_seconds: interval } = (await read('/runs/series', {
    session: [sessionIds.get('split')],
    start_time: timeOf(0),
    end_time: timeOf(30),
    interval_seconds: 600,
  })) as { interval_seconds: number; series: { group: null; total: Json; points: Json[] }[] };
  t.equal(interval, 600);
  t.match(series, [{ group: null, total: { run_count: 3, error_count: 1, latency_p50: 6, total_tokens: 12 } }]);
  t.match(series[0]!.points, [
    { start_time: '2026-01-01T00:00:00.000000+00:00', run_count: 1, error_count: 1, latency_p50: 5, latency_p95: 5 },
    { run_count: 1, error_count: 0, latency_p50: 6, total_tokens: 4 },
    { run_count: 1, latency_p50: 7, total_tokens: 6, first_token_p50: null },
  ]);
});

t.test('says how far back it counted when there was no time for more', async (t) => {
  lowerLimit(t, 'seriesMs', 0);
  const answer = (await read('/runs/series', {
    session: [sessionIds.get('split')],
    start_time: timeOf(0),
    end_time: timeOf(200),
  })) as Json;
  const newest = timeOf((TRACES - 1) * 10).replace('.000Z', '.000000+00:00');
  t.match(answer, { complete_from: newest, series: [] });
});

t.test('refuses times and intervals that make no series', async (t) => {
  const session = [sessionIds.get('split')];
  for (const [body, message] of [
    [{ start_time: 'yesterday' }, /start_time/],
    [{ start_time: timeOf(10), end_time: timeOf(10) }, /end_time/],
    [{ start_time: '1990-01-01', interval_seconds: 60 }, /must not make more than 1000 intervals/],
    [{ start_time: timeOf(0), group_by: 'inputs' }, /group_by/],
    [{ start_time: timeOf(0), filter: 'eq(name' }, /filter/],
    [{ session: [], start_time: timeOf(0) }, /session/],
  ] as const) {
    const { status, text } = await send('POST', '/runs/series', { session, ...body });
    t.equal(status, 422);
    t.match(text, message);
  }
  t.equal((await send('POST', '/runs/series', { session: [idOf('whole', 1)], start_time: timeOf(0) })).status, 404);
});

t.test('adds late steps to the list of their trace', async (t) => {
  for (const project of PROJECTS) {
    const [, step] = runsOf(project, 1);
    const late = { ...step!, id: idOf(project, 1, 9), name: 'late' };
    t.equal((await send('POST', '/runs', late)).status, 202);
  }
  await sameAnswers(t);
});

t.test('reads the same after a restart', async (t) => {
  await server.close();
  server = await openAgain();
  await sameAnswers(t);
});

t.test('exports all lists', async (t) => {
  const lines = async (project: Project): Promise<string[]> => {
    const { text } = await send('GET', `/sessions/${sessionIds.get(project)!}/runs`);
    return text.trim().split('\n');
  };
  const names = (found: string[]): unknown[] => found.map((line) => (JSON.parse(line) as Json)['name']);
  t.strictSame(names(await lines('split')), names(await lines('whole')));
});

t.test('deletes all lists', async (t) => {
  t.equal((await send('DELETE', `/sessions/${sessionIds.get('split')!}`)).status, 200);
  await until(
    async () => (await send('GET', `/runs/${idOf('split', 0)}`)).status,
    (status) => status === 404,
  );
  for (const trace of [0, 5, 11]) t.equal((await send('GET', `/runs/${idOf('split', trace)}`)).status, 404);
  t.equal((await send('GET', `/runs/${idOf('whole', 5)}`)).status, 200);
});
