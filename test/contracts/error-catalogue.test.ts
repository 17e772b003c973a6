import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { Gate } from '../helpers/gate.js';
import { ROOT, temporaryFolder, testServer, type TestServer, WITHOUT_TYPES } from '../helpers/server.js';

/**
 * The errors that clients and their tests match, a test for each row of the catalogue: status, and the body, which is
 * `{"detail": "text"}` and nothing else. Rows that are answered in another way on purpose are in
 * test/compatibility/rows.ts.
 */
const server = await testServer(t, { env: { HTTP_MAX_REQUEST_BODY_BYTES: '100000', ...WITHOUT_TYPES } });
const { client } = server;
const folder = temporaryFolder(t);
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Whoever this token is: see test/access/project/auth.ts and test/access/store/auth.ts. */
const as = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});
const guarded = await testServer(t, { config: join(ROOT, 'test', 'access', 'project', 'langgraph.json') });
const guardedStore = await testServer(t, { config: join(ROOT, 'test', 'access', 'store', 'langgraph.json') });
const stock = ({ url }: TestServer, token: string): Client =>
  new Client({
    apiUrl: url,
    apiKey: null,
    defaultHeaders: { authorization: `Bearer ${token}` },
    callerOptions: { maxRetries: 0 },
  });

type Ask = [method: string, path: string, body?: unknown];

/** Every ask is refused alike. */
async function refused(
  t: Test,
  status: number,
  detail: string | RegExp,
  asks: readonly Ask[],
  { url }: { url: string } = server,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<void> {
  for (const [method, path, body] of asks) {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: body === undefined ? { ...headers, 'content-type': '' } : headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const found = JSON.parse(await answer.text()) as { detail: string };
    t.strictSame([answer.status, Object.keys(found)], [status, ['detail']], `${method} ${path}`);
    if (typeof detail === 'string') t.equal(found.detail, detail, `${method} ${path}`);
    else t.match(found.detail, detail, `${method} ${path}`);
    t.ok(answer.headers.get('x-request-id'), 'the Python client shows it');
  }
}

t.test('shows status and body in the errors of the stock client', async (t) => {
  await t.rejects(client.assistants.get(NOBODY), { message: 'HTTP 404: {"detail":"Assistant not found"}' });
});

t.test('returns 404 for get, patch, delete and latest of a missing assistant', async (t) => {
  const path = `/assistants/${NOBODY}`;
  await refused(t, 404, 'Assistant not found', [
    ['GET', path],
    ['PATCH', path, {}],
    ['DELETE', path],
    ['POST', `${path}/latest`, { version: 1 }],
  ]);
});

t.test('returns 404 for get, patch, delete and latest of a hidden assistant', async (t) => {
  const mine = await stock(guarded, 'token-of-alice').assistants.create({ graphId: 'echo' });
  const path = `/assistants/${mine.assistant_id}`;
  await refused(
    t,
    404,
    'Assistant not found',
    [
      ['GET', path],
      ['PATCH', path, {}],
      ['DELETE', path],
      ['POST', `${path}/latest`, { version: 1 }],
    ],
    guarded,
    as('token-of-bob'),
  );
});

t.test('returns 404 for latest of an unknown version', async (t) => {
  const { assistant_id: id } = await client.assistants.create({ graphId: 'echo' });
  await refused(t, 404, 'Assistant version not found', [['POST', `/assistants/${id}/latest`, { version: 7 }]]);
});

t.test('returns 409 for an assistant whose id exists, even if it is hidden', async (t) => {
  const { assistant_id: id } = await client.assistants.create({ graphId: 'echo' });
  await refused(t, 409, 'Assistant already exists', [['POST', '/assistants', { graph_id: 'echo', assistant_id: id }]]);
  const mine = await stock(guarded, 'token-of-alice').assistants.create({ graphId: 'echo' });
  const asked = { graph_id: 'echo', assistant_id: mine.assistant_id };
  await refused(
    t,
    409,
    'Assistant already exists',
    [
      ['POST', '/assistants', asked],
      ['POST', '/assistants', { ...asked, if_exists: 'do_nothing' }],
    ],
    guarded,
    as('token-of-bob'),
  );
});

t.test('returns 404 for an empty list of versions', async (t) => {
  await refused(t, 404, `Assistant "${NOBODY}" not found.`, [['POST', `/assistants/${NOBODY}/versions`, {}]]);
});

t.test('returns 404 for an assistant of an unknown graph', async (t) => {
  await refused(t, 404, 'Graph "nobody" not found', [['POST', '/assistants', { graph_id: 'nobody' }]]);
});

t.test('returns an error for a graph without a root and one that cannot be drawn', async (t) => {
  const desk = await testServer(t, {
    config: join(ROOT, 'test', 'schemas', 'project', 'langgraph.json'),
    env: WITHOUT_TYPES,
  });
  await refused(
    t,
    404,
    'Failed to find root graph',
    [
      ['GET', '/assistants/none/graph'],
      ['GET', '/assistants/none/schemas'],
    ],
    desk,
  );
  await refused(t, 422, /^Graph "throws" could not be read: /, [['GET', '/assistants/throws/schemas']], desk);
});

t.test('returns 404 for a run of an unknown assistant or graph', async (t) => {
  const { thread_id: threadId } = await client.threads.create();
  const run = { assistant_id: 'nobody', input: {} };
  const ways: Ask[] = ['/runs', `/threads/${threadId}/runs`].flatMap((path) =>
    ['', '/stream', '/wait'].map((way): Ask => ['POST', `${path}${way}`, run]),
  );
  await refused(
    t,
    404,
    'No assistant found for "nobody". Make sure the assistant ID is for a valid assistant or a valid graph ID.',
    ways,
  );
});

t.test('returns 404 for get, delete, state and history of a missing or hidden thread', async (t) => {
  const of = (id: string): Ask[] =>
    ['', '/state', '/history']
      .map((way): Ask => ['GET', `/threads/${id}${way}`])
      .concat([
        ['DELETE', `/threads/${id}`],
        ['POST', `/threads/${id}/history`, {}],
      ]);
  await refused(t, 404, `Thread with ID ${NOBODY} not found`, of(NOBODY));
  const { thread_id: id } = await stock(guarded, 'token-of-alice').threads.create();
  await refused(t, 404, `Thread with ID ${id} not found`, of(id), guarded, as('token-of-bob'));
});

t.test('names the missing thread of a change', async (t) => {
  await refused(t, 404, `Thread with ID ${NOBODY} not found`, [['PATCH', `/threads/${NOBODY}`, { metadata: {} }]]);
});

t.test("[trap 15] returns an error for a copy of a missing thread or another user's", async (t) => {
  await refused(t, 409, 'Thread not found', [['POST', `/threads/${NOBODY}/copy`]]);
  const { thread_id: id } = await stock(guarded, 'token-of-alice').threads.create();
  await refused(t, 409, 'Thread not found', [['POST', `/threads/${id}/copy`]], guarded, as('token-of-bob'));
});

t.test('returns 409 for a thread that exists', async (t) => {
  const { thread_id: id } = await client.threads.create();
  await refused(t, 409, 'Thread already exists', [['POST', '/threads', { thread_id: id }]]);
});

t.test('returns 404 for a run on a missing thread', async (t) => {
  const run = { assistant_id: 'echo', input: {} };
  await refused(
    t,
    404,
    `Thread with ID ${NOBODY} not found`,
    ['', '/stream', '/wait'].map((way) => [
      'POST',
      `/threads/${NOBODY}/runs${way}`,
      { ...run, if_not_exists: 'reject' },
    ]),
  );
});

t.test('returns 409 for a state update while a run is pending or running, and for a rejected run', async (t) => {
  const { thread_id: id } = await client.threads.create();
  const gate = new Gate(folder);
  const run = await client.runs.create(id, 'gate', { input: { label: 'a', gate: gate.file } });
  const update: Ask = ['POST', `/threads/${id}/state`, { values: {} }];
  const second: Ask = ['POST', `/threads/${id}/runs`, { assistant_id: 'gate', multitask_strategy: 'reject' }];
  const alone = 'Thread is already running a task. Wait for it to finish or choose a different multitask strategy.';
  await gate.reached();
  await refused(t, 409, 'Thread is busy', [update]);
  await refused(t, 409, alone, [second]);
  await client.runs.cancel(id, run.run_id, true);
  await client.runs.create(id, 'gate', { input: { label: 'a' }, afterSeconds: 600 });
  await refused(t, 409, 'Thread is busy', [update]);
  await refused(t, 409, alone, [second]);
});

t.test('returns an error for a state update of a thread without a graph', async (t) => {
  const { thread_id: id } = await client.threads.create();
  await refused(t, 400, `Thread ${id} has no graph ID`, [['POST', `/threads/${id}/state`, { values: {} }]]);
});

t.test('names the place of supersteps without a graph', async (t) => {
  await refused(t, 422, 'body.metadata.graph_id: is required with supersteps', [
    ['POST', '/threads', { supersteps: [{ updates: [{ values: {}, as_node: 'first' }] }] }],
  ]);
});

t.test('returns 404 for get, delete and cancel of a missing run', async (t) => {
  const { thread_id: id } = await client.threads.create();
  const path = `/threads/${id}/runs/${NOBODY}`;
  await refused(t, 404, 'Run not found', [
    ['GET', path],
    ['DELETE', path],
    ['POST', `${path}/cancel`],
    ['GET', `${path}/join`],
    ['GET', `${path}/stream`],
  ]);
});

t.test('returns an error for a cancel of a finished run', async (t) => {
  const { thread_id: id } = await client.threads.create();
  await client.runs.wait(id, 'echo', { input: { text: 'x' } });
  const [run] = await client.runs.list(id);
  await refused(t, 404, 'Run not found', [
    ['POST', `/threads/${id}/runs/${run!.run_id}/cancel`],
    ['POST', `/threads/${id}/runs/${run!.run_id}/cancel?wait=1&action=rollback`],
  ]);
});

t.test('returns its own status for a join or stream of a hidden thread', async (t) => {
  const alice = stock(guarded, 'token-of-alice');
  const { thread_id: id } = await alice.threads.create();
  await alice.runs.wait(id, 'echo', { input: { text: 'x' } });
  const [run] = await alice.runs.list(id);
  await refused(
    t,
    404,
    `Thread with ID ${id} not found`,
    ['/join', '/stream'].map((way) => ['GET', `/threads/${id}/runs/${run!.run_id}${way}`]),
    guarded,
    as('token-of-bob'),
  );
});

t.test('refuses an item without a namespace', async (t) => {
  await refused(t, 400, 'Namespace is required', [['PUT', '/store/items', { namespace: [], key: 'k', value: {} }]]);
});

t.test('refuses labels that are empty or contain periods', async (t) => {
  await refused(t, 422, 'Namespace labels cannot be empty or contain periods. Received: a.b', [
    ['PUT', '/store/items', { namespace: ['a.b'], key: 'k', value: {} }],
    ['POST', '/store/items/search', { namespace_prefix: ['a.b'] }],
  ]);
  await refused(t, 422, 'Namespace labels cannot be empty or contain periods. Received: a.', [
    ['PUT', '/store/items', { namespace: ['a', ''], key: 'k', value: {} }],
  ]);
});

t.test('returns 404 for a hidden item and 403 for a put outside of the filter', async (t) => {
  const { store } = stock(guardedStore, 'ada:scoped');
  await store.putItem(['x'], 'red', { team: 'red' });
  await refused(
    t,
    404,
    'Item not found',
    [
      ['GET', '/store/items?namespace=ada.x&key=red'],
      ['DELETE', '/store/items', { namespace: ['ada', 'x'], key: 'red' }],
    ],
    guardedStore,
    as('ada:filtered'),
  );
  await refused(
    t,
    403,
    'Not authorized',
    [['PUT', '/store/items', { namespace: ['ada', 'x'], key: 'new', value: {} }]],
    guardedStore,
    as('ada:filtered'),
  );
});

t.test('refuses a search that would read too many items', async (t) => {
  const fay = stock(guardedStore, 'fay:scoped');
  const operations = Array.from({ length: 10_001 }, (_, n) => ({ namespace: ['many'], key: `k${n}`, value: {} }));
  const { results } = (await fay.runs.wait(null, 'keeper', { input: { calls: [['batch', operations]] } })) as {
    results: unknown[];
  };
  t.notMatch(results, [{ error: String }]);
  const detail = 'Authenticated store query exceeded maximum scan limit. Narrow the namespace or filters.';
  await refused(
    t,
    400,
    detail,
    [['POST', '/store/items/search', { namespace_prefix: ['many'] }]],
    guardedStore,
    as('fay:filtered'),
  );
});

t.test('returns 403 when a handler returns false', async (t) => {
  const { thread_id: id } = await stock(guarded, 'token-of-alice').threads.create();
  await refused(t, 403, 'Not authorized', [['DELETE', `/threads/${id}`]], guarded, as('token-of-reader'));
});

t.test('returns 500 when the verdict of a handler is invalid', async (t) => {
  const { thread_id: id } = await stock(guarded, 'token-of-alice').threads.create();
  await refused(
    t,
    500,
    "The auth handler failed. The server's log has the error.",
    [['PATCH', `/threads/${id}`, {}]],
    guarded,
    as('token-of-reader'),
  );
});

t.test('refuses an invalid schedule', async (t) => {
  await refused(t, 422, /^Invalid cron schedule: body\.schedule: /, [
    ['POST', '/runs/crons', { assistant_id: 'echo', schedule: 'every day' }],
  ]);
});

t.test('returns 404 for a cron on a missing or hidden thread', async (t) => {
  const cron = { assistant_id: 'echo', schedule: '0 0 29 2 *' };
  await refused(t, 404, 'Thread not found or not authorized', [['POST', `/threads/${NOBODY}/runs/crons`, cron]]);
  const { thread_id: id } = await stock(guarded, 'token-of-alice').threads.create();
  await refused(
    t,
    404,
    'Thread not found or not authorized',
    [['POST', `/threads/${id}/runs/crons`, cron]],
    guarded,
    as('token-of-bob'),
  );
});

t.test('returns 413 for a body that is too large', async (t) => {
  await refused(t, 413, 'The request body is over the limit of 100000 bytes.', [
    ['POST', '/threads', { metadata: { long: 'x'.repeat(100_000) } }],
  ]);
});

t.test('returns 422 for a body that does not match the schema', async (t) => {
  await refused(t, 422, /^body\.limit: /, [['POST', '/threads/search', { limit: 0 }]]);
  await refused(t, 422, /^path\.thread_id: must be a UUID/, [['GET', '/threads/no-uuid']]);
  await refused(t, 422, /^query\.limit: /, [['GET', '/threads?limit=many']]);
});
