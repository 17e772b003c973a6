import t, { type Test } from 'tap';
import { startTestCluster, startTestNode, until, type TestNode } from '../helpers/cluster.js';
import { lowerLimit } from '../helpers/limits.js';
import { TestPostgres } from '../helpers/postgres.js';
import { configWith, testServer } from '../helpers/server.js';

const postgres = await TestPostgres.start(t);
const config = configWith(t, 'echo');

type Metrics = Map<string, number>;

async function metrics(
  { url }: TestNode,
  query = '?node=self',
  headers: Record<string, string> = {},
): Promise<Metrics> {
  const response = await fetch(`${url}/metrics${query}`, { headers });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('threadmill_'));
  return new Map(
    lines.map((line): [string, number] => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

async function startPair(t: Test, url: string): Promise<[TestNode, TestNode]> {
  const a = await startTestNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'a' } });
  await a.owner;
  const b = await startTestNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'b' } });
  // The owner uses its workers, and has seen it in the database.
  await until(async () => {
    const facts = await metrics(a);
    const isLinked = facts.get('threadmill_cluster_node_workers{node="b"}') === 1;
    return isLinked && facts.has('threadmill_cluster_node_lag_entries{node="b"}');
  });
  return [a, b];
}

t.test('keeps the history of the load when another node takes over', async (t) => {
  lowerLimit(t, 'historySampleMs', 200);
  const [a, b] = await startPair(t, await postgres.createDatabase());
  const runsStarted = async (): Promise<number> => {
    const response = await fetch(`${b.url}/server/history`);
    if (!response.ok) return 0;
    return ((await response.json()) as { total: { runs_started: number } | null }).total?.runs_started ?? 0;
  };
  const { thread_id: threadId } = await b.client.threads.create();
  await b.client.runs.wait(threadId, 'echo', { input: { text: 'x' } });
  await until(async () => (await runsStarted()) === 1);
  await a.close();
  await b.owner;
  t.equal(await runsStarted(), 1, 'by the node that did not see it');
  await b.client.runs.wait(threadId, 'echo', { input: { text: 'y' } });
  await until(async () => (await runsStarted()) === 2);
});

t.test('every node tells its own metrics, and those of the cluster', async (t) => {
  const [a, b] = await startPair(t, await postgres.createDatabase());
  const { thread_id: threadId } = await b.client.threads.create();
  await b.client.runs.wait(threadId, 'echo', { input: { text: 'x' } });

  const atOwner = await metrics(a);
  t.equal(atOwner.get('threadmill_cluster_is_owner'), 1);
  t.equal(atOwner.get('threadmill_cluster_takeovers_total{reason="first"}'), 1);
  t.ok(atOwner.get('threadmill_cluster_append_seconds_count')! > 0);
  t.ok(atOwner.get('threadmill_cluster_appended_bytes_total')! > 0);
  t.ok(atOwner.has('threadmill_store_commits_pending'));
  for (const node of ['a', 'b']) t.ok(atOwner.has(`threadmill_cluster_node_runs{node="${node}"}`), node);
  t.equal(atOwner.get('threadmill_cluster_forwarded_requests_total{outcome="answered"}'), 0);

  const atOther = await metrics(b);
  t.equal(atOther.get('threadmill_cluster_is_owner'), 0);
  t.equal(atOther.get('threadmill_cluster_epoch'), 1);
  t.equal(atOther.get('threadmill_cluster_takeovers_total{reason="first"}'), 0);
  t.equal(atOther.get('threadmill_cluster_forwarded_requests_total{outcome="answered"}'), 2);
  t.equal(atOther.get('threadmill_cluster_forwarded_request_duration_seconds_count'), 2);
  t.equal(atOther.get('threadmill_cluster_forwarded_open'), 0);
  t.equal(atOther.get('threadmill_cluster_database_away'), 0);
  t.equal(atOther.get('threadmill_workers{kind="graph"}'), 1);
  t.ok(Math.abs(atOther.get('threadmill_cluster_clock_offset_seconds')!) < 60);
  t.notOk(atOther.has('threadmill_store_commits_pending'), 'nothing that only the owner knows');
  t.notOk(atOther.has('threadmill_cluster_append_seconds_count'));
  for (const facts of [atOwner, atOther]) {
    t.equal(facts.get('threadmill_cluster_nodes{role="owner"}'), 1);
    t.ok(facts.has('threadmill_cluster_node_lag_entries{node="b"}'));
    t.ok(facts.has('threadmill_cluster_node_lag_seconds{node="b"}'));
    t.ok(facts.get('threadmill_cluster_node_seen_seconds{node="a"}')! < 60);
  }
  await until(async () => (await metrics(b)).get('threadmill_cluster_node_lag_entries{node="b"}') === 0);

  t.equal((await metrics(b, '')).get('threadmill_cluster_is_owner'), 1, 'without node=self: the owner answers');
  const json = (await (await fetch(`${b.url}/metrics?node=self&format=json`)).json()) as { workers: object };
  t.match(json, { workers: { max: 1 }, metrics: Array });
  t.equal((await fetch(`${b.url}/metrics?node=other`)).status, 422);

  await a.close();
  await until(() => b.isOwner());
  const after = await metrics(b);
  t.equal(after.get('threadmill_cluster_takeovers_total{reason="left"}'), 1);
  t.equal(after.get('threadmill_cluster_is_owner'), 1);
  t.equal(after.get('threadmill_cluster_epoch'), 2);
  t.equal(after.get('threadmill_cluster_forwarded_requests_total{outcome="answered"}'), 4, 'counts go on');
});

t.test('requests that could not be passed on are counted', async (t) => {
  lowerLimit(t, 'forwardHoldMs', 200);
  const url = await postgres.createDatabase();
  // Nobody owns the cluster, because the only node is drained.
  await (await startTestCluster(t, 1, { config, url }))[0]!.close();
  await postgres.query(`INSERT INTO threadmill.drain (name) VALUES ('b')`, url);
  const b = await startTestNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'b' } });
  t.equal((await fetch(`${b.url}/info`)).status, 503);
  const left = new AbortController();
  const leaving = fetch(`${b.url}/info`, { signal: left.signal }).catch(() => null);
  await until(async () => (await metrics(b)).get('threadmill_cluster_forwarded_open') === 1);
  left.abort();
  await leaving;
  await until(async () => (await metrics(b)).get('threadmill_cluster_forwarded_open') === 0);
  const facts = await metrics(b);
  t.equal(facts.get('threadmill_cluster_forwarded_requests_total{outcome="no_owner"}'), 1);
  t.equal(facts.get('threadmill_cluster_forwarded_requests_total{outcome="aborted"}'), 1);
  t.equal(facts.get('threadmill_cluster_nodes_drained'), 1);
  t.equal(facts.get('threadmill_cluster_nodes{role="owner"}'), 0);
});

t.test('the metrics of a node need the same key as those of the owner', async (t) => {
  const [a, b] = await startPair(t, await postgres.createDatabase());
  const create = async (body: object, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${a.url}/server/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { key: string }).key;
  };
  const all = await create({ name: 'all' });
  const admin = { 'x-api-key': all };
  const response = await fetch(`${a.url}/server/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...admin },
    body: JSON.stringify({ name: 'prometheus', scopes: ['metrics:read'] }),
  });
  const { key: reader, key_id: readerId } = (await response.json()) as { key: string; key_id: string };
  const other = await create({ name: 'other', scopes: ['threads'] }, admin);
  await until(async () => (await fetch(`${b.url}/metrics?node=self`)).status === 401);
  const statusOf = async (key: string): Promise<number> =>
    (await fetch(`${b.url}/metrics?node=self`, { headers: { 'x-api-key': key } })).status;
  await until(async () => (await statusOf(reader)) === 200);
  t.equal(await statusOf(all), 200);
  t.equal(await statusOf(other), 403);
  t.equal(await statusOf('tm_0000000000_nonsense'), 401);
  await fetch(`${a.url}/server/keys/${readerId}`, { method: 'DELETE', headers: admin });
  await until(async () => (await statusOf(reader)) === 401);
});

t.test('lists the nodes, drains one and puts it back over the API', async (t) => {
  const [a, b] = await startPair(t, await postgres.createDatabase());
  const nodes = async (): Promise<Record<string, unknown>> =>
    (await (await fetch(`${b.url}/server/nodes`)).json()) as Record<string, unknown>;
  t.match(await nodes(), {
    cluster_id: String,
    epoch: 1,
    machines: 1,
    nodes: [
      { name: 'a', role: 'owner', drain: 'none', address: String },
      { name: 'b', role: 'standby', drain: 'none', entries_behind: Number, lag_ms: Number, seen_ms_ago: Number },
    ],
  });
  t.match(await (await fetch(`${b.url}/info`)).json(), { metadata: { cluster: true } });
  const change = (method: string, name: string): Promise<Response> =>
    fetch(`${b.url}/server/nodes/${name}/drain`, { method });
  const drained = await change('POST', 'b');
  t.equal(drained.status, 200);
  t.match(await drained.json(), { nodes: [{ drain: 'none' }, { name: 'b' }] });
  await until(async () => ((await nodes())['nodes'] as { drain: string }[])[1]!.drain === 'drained');
  const refused = await change('POST', 'a');
  t.equal(refused.status, 409);
  t.match(await refused.json(), { detail: /no other node can take over.*Nothing was changed/ });
  t.equal((await change('POST', 'c')).status, 404);
  t.match(await (await change('DELETE', 'b')).json(), { nodes: [{ name: 'a' }, { name: 'b', drain: 'none' }] });
  await change('POST', 'a');
  await until(() => b.isOwner() && !a.isOwner());
  t.match(await nodes(), { epoch: 2 });
});

t.test('without a cluster there are no nodes', async (t) => {
  const server = await testServer(t, { config });
  t.strictSame(await (await server.get('/server/nodes')).json(), { cluster_id: null, nodes: [] });
  t.equal((await server.post('/server/nodes/a/drain', {})).status, 404);
});
