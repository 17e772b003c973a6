import { randomUUID } from 'node:crypto';
import type { Run } from 'langsmith';
import t from 'tap';
import { langsmithOf } from '../helpers/langsmith.js';
import { freePort } from '../helpers/ports.js';
import { configWith, testServer } from '../helpers/server.js';

const linkPort = await freePort();
const server = await testServer(t, {
  config: configWith(t, 'echo'),
  env: { THREADMILL_LINK_PORT: String(linkPort) },
});
const { clientOf, evaluate, evaluateComparative } = await langsmithOf(server);
const printed = t.capture(console, 'log');
t.capture(console, 'warn');

/** Where a browser arrives that follows the link. */
async function visit(link: string): Promise<string> {
  const response = await fetch(link, { headers: { accept: 'text/html' } });
  if (response.status !== 200) return `${response.status} ${await response.text()}`;
  const { pathname, search } = new URL(response.url);
  return pathname + search;
}

/** The links that the client has printed since the last call. */
const links = (): string[] => printed().flatMap(({ args }) => /https?:\/\/\S+/.exec(String(args[0]))?.[0] ?? []);

// The client takes `localhost`, `127.0.0.1` and `::1` for a service of its own. This address is the same machine.
const otherSpelling = server.url.replace('127.0.0.1', '127.1');

t.test('redirects every link that the client makes to the page of the console', async (t) => {
  const client = clientOf({ apiUrl: `${otherSpelling}/api/v1` });
  const { id: datasetId } = await client.createDataset(`links-${randomUUID()}`);
  const example = await client.createExample({ dataset_id: datasetId, inputs: { q: 1 }, outputs: { a: 1 } });
  const target = (inputs: { q: number }) => ({ a: inputs.q });
  const evaluators = [() => ({ key: 'right', score: 1 })];
  links();
  const first = await evaluate(target, { client, data: [example], evaluators });
  const [viewed] = links();
  const session = await client.readProject({ projectName: first.experimentName });
  t.equal(await visit(viewed!), `/console/datasets/${datasetId}/compare?experiments=${session.id}`);

  const second = await evaluate(target, { client, data: [example], evaluators });
  const other = await client.readProject({ projectName: second.experimentName });
  links();
  await evaluateComparative([first.experimentName, second.experimentName], {
    client,
    evaluators: [({ runs }: { runs: Run[] }) => ({ key: 'better', scores: { [runs[0]!.id]: 1, [runs[1]!.id]: 0 } })],
  });
  t.equal(await visit(links()[0]!), `/console/datasets/${datasetId}/compare?experiments=${session.id},${other.id}`);

  t.equal(await visit(await client.getDatasetUrl({ datasetId })), `/console/datasets/${datasetId}`);
  t.equal(await visit(await client.getProjectUrl({ projectId: session.id })), `/console/experiments/${session.id}`);
  const { run } = first.results[0]!;
  const runPage = `/console/experiments/${session.id}?run=${run.id}`;
  t.equal(await visit(await client.getRunUrl({ run: { ...run, session_id: session.id } })), runPage);
  await client.awaitPendingTraceBatches();
  t.equal(await visit(await client.getRunUrl({ runId: run.id })), runPage);
  t.equal(
    await visit(`${otherSpelling}/o/${randomUUID()}/datasets/${datasetId}/e/${example.id}`),
    `/console/datasets/${datasetId}?tab=examples&example=${example.id}`,
  );
});

t.test('serves the links of clients with a loopback address on the link port', async (t) => {
  for (const suffix of ['', '/api/v1']) {
    const client = clientOf({ apiUrl: server.url.replace('127.0.0.1', 'localhost') + suffix });
    const { id: datasetId } = await client.createDataset(`loopback-${randomUUID()}`);
    const link = await client.getDatasetUrl({ datasetId });
    t.match(link, /^http:\/\/localhost:3000\/o\//, 'the port that THREADMILL_LINK_PORT is for');
    t.equal(await visit(link.replace('3000', String(linkPort))), `/console/datasets/${datasetId}`);
  }
  const client = clientOf({ webUrl: `${server.url}/` });
  const { id: datasetId } = await client.createDataset(`web-url-${randomUUID()}`);
  t.equal(await visit(await client.getDatasetUrl({ datasetId })), `/console/datasets/${datasetId}`);
});

t.test('refuses to start when the link port is taken', async (t) => {
  await t.rejects(testServer(t, { config: configWith(t, 'echo'), env: { THREADMILL_LINK_PORT: String(linkPort) } }), {
    code: 'PORT_IN_USE',
    message: new RegExp(String(linkPort)),
  });
});

t.test('redirects below a prefix, and answers 404 for links without a page', async (t) => {
  const id = randomUUID();
  const status = async (path: string): Promise<unknown> => {
    const response = await server.get(path, { redirect: 'manual' });
    return response.status === 302 ? response.headers.get('location') : response.status;
  };
  t.equal(await status(`/o/w/datasets/${id}/`), `../../../../console/datasets/${id}`);
  t.equal(await status(`/o/w/datasets/${id}/compare`), `../../../../console/datasets/${id}`);
  t.equal(await status(`/o/w/projects/p`), '../../../console/experiments');
  t.equal(await status(`/o/w/annotation-queues/${id}`), `../../../console/queues/${id}`);
  for (const path of [
    '/o/',
    '/o/w/prompts/x',
    '/o/w/datasets/x',
    `/o/w/datasets/${id}/compare?selectedSessions=${id},//evil.example`,
    `/o/w/datasets/${id}/e`,
    `/o/w/projects/p/${id}/r`,
    `/o/w/projects/p/${id}/r/${id}/more`,
    `/o/w/projects/q/${id}`,
  ])
    t.equal(await status(path), 404, path);
  t.match(await (await server.get('/o/w/hub/a/b')).json(), { detail: /^The link \/o\/w\/hub\/a\/b leads to no page/ });
});
