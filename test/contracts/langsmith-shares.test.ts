import { randomUUID } from 'node:crypto';
import t from 'tap';
import { tab } from '../helpers/browser.js';
import { all, langsmithOf } from '../helpers/langsmith.js';
import { cli } from '../helpers/cli.js';
import { configWith, temporaryFolder, testServer, withoutAddress } from '../helpers/server.js';
import { row, sent, upload, type Json } from '../helpers/uploads.js';

const config = configWith(t, 'echo');
const dataFolder = temporaryFolder(t);
const server = await testServer(t, { config, dataFolder, flags: { publicShares: true } });
const { clientOf } = await langsmithOf(server);
const client = clientOf({ apiUrl: `${server.url}/api/v1`, webUrl: server.url, callerOptions: { maxRetries: 0 } });
t.capture(console, 'warn');

const tokenOf = (link: string): string => /\/public\/([0-9a-f-]{36})\//.exec(link)![1]!;
const visit = async (link: string): Promise<string> => {
  const { url, status } = await fetch(link);
  return status === 200 ? withoutAddress(server, url) : String(status);
};
const request = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> => {
  const response = await server.post(path, body, { method });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
};

/** A dataset with an experiment; each free text contains the marker. */
async function uploaded(marker: string): Promise<{ datasetId: string; experimentId: string; runId: string }> {
  const { dataset, experiment } = await sent(
    server,
    upload({
      dataset_name: `dataset ${randomUUID()}`,
      dataset_description: 'about it',
      experiment_metadata: { secret: marker },
      results: [
        row({
          inputs: { q: 1 },
          expected_outputs: { a: 1 },
          actual_outputs: { a: 2 },
          run_metadata: { secret: marker },
          evaluation_scores: [{ key: 'right', score: 0, comment: marker }],
        }),
        row({ inputs: { q: 2 } }),
      ],
    }),
  );
  await request('PATCH', `/api/v1/datasets/${dataset.id}`, { metadata: { secret: marker } });
  const [example] = await all(client.listExamples({ datasetId: dataset.id, metadata: {} }));
  await request('PATCH', `/api/v1/examples/${example!.id}`, { metadata: { secret: marker } });
  const [run] = await all(client.runs.query({ project_ids: [experiment.id], filter: 'eq(feedback_key, "right")' }));
  return { datasetId: dataset.id, experimentId: experiment.id, runId: run!.id! };
}

t.test('shares a dataset until it is revoked', async (t) => {
  const marker = randomUUID();
  const { datasetId } = await uploaded(marker);
  t.same(await request('GET', `/datasets/${datasetId}/share`), { status: 200, body: null });
  const { share_token: token, url } = await client.shareDataset(datasetId);
  t.match(await client.shareDataset(datasetId), { share_token: token }, 'the same link');
  t.match(await client.readDatasetSharedSchema(datasetId), { dataset_id: datasetId, share_token: token, url });
  t.equal(await visit(url), `/console/public/${token}?kind=d`);

  const shared = await client.readSharedDataset(token);
  t.match(shared, { id: datasetId, description: 'about it', example_count: 2 });
  const examples = await client.listSharedExamples(token);
  t.match(
    examples.map(({ inputs }) => inputs).toSorted((a, b) => a['q'] - b['q']),
    [{ q: 1 }, { q: 2 }],
  );
  t.equal((await client.listSharedExamples(token, { exampleIds: [examples[0]!.id] })).length, 1);
  t.same(await request('GET', `/api/v1/public/${token}/examples/count`), { status: 200, body: 2 });
  t.same(await request('GET', `/api/v1/public/${token}/datasets/sessions`), { status: 200, body: [] });
  t.notMatch(JSON.stringify([shared, examples]), marker, 'metadata stays private');
  t.equal((await request('GET', `/public/${token}/run`)).status, 404, 'it is not a trace');

  await client.unshareDataset(datasetId);
  for (const path of ['datasets', 'examples', 'examples/count', 'datasets/sessions'])
    t.equal((await request('GET', `/public/${token}/${path}`)).status, 404, path);
  t.not((await client.shareDataset(datasetId)).share_token, token, 'a new link after revoking');
});

t.test('shares the experiments of a dataset only if asked for', async (t) => {
  const marker = randomUUID();
  const { datasetId, experimentId } = await uploaded(marker);
  const { share_token: token } = await client.shareDataset(datasetId);
  await request('PUT', `/api/v1/datasets/${datasetId}/share?share_projects=true`);
  const sessions = await request('GET', `/public/${token}/datasets/sessions`);
  t.match(sessions, { status: 200, body: [{ id: experimentId, run_count: 2 }] });
  t.notMatch(JSON.stringify(sessions), marker);
  await client.shareDataset(datasetId);
  t.match(await request('GET', `/public/${token}/datasets/sessions`), { body: [{ id: experimentId }] }, 'kept');
});

t.test('shares a run with its trace until it is revoked', async (t) => {
  const marker = randomUUID();
  const { runId, experimentId } = await uploaded(marker);
  t.equal(await client.readRunSharedLink(runId), undefined);
  const shareId = randomUUID();
  const link = await client.shareRun(runId, { shareId });
  t.equal(withoutAddress(server, link), `/public/${shareId}/r`);
  t.equal(await client.readRunSharedLink(runId), link);
  const inProject = { project_id: experimentId, selects: ['SHARE_URL' as const] };
  t.strictSame(withoutAddress(server, await client.runs.retrieve(runId, inProject)), {
    id: runId,
    share_url: `/public/${shareId}/r`,
  });
  t.equal(await visit(link), `/console/public/${shareId}?kind=r`);
  const runs = await client.listSharedRuns(shareId);
  t.match(runs, [{ id: runId, inputs: { q: 1 }, outputs: { a: 2 }, status: 'success', app_path: /^\/public\// }]);
  t.equal((await client.listSharedRuns(shareId, { runIds: [randomUUID()] })).length, 0);
  const found = [
    await request('GET', `/public/${shareId}/run`),
    await request('GET', `/public/${shareId}/run/${runId}`),
    await request('POST', `/public/${shareId}/runs/query`, { id: [runId] }),
  ];
  t.match(found, [{ body: { id: runId } }, { body: { id: runId } }, { body: { runs: [{ id: runId }] } }]);
  const secondVersion = await client.public.runs.query(shareId, { selects: ['NAME', 'METADATA', 'FEEDBACK_STATS'] });
  t.strictSame(secondVersion.items, [{ id: runId, name: 'row' }], 'private fields are left out');
  t.match(
    await client.public.runs.retrieve(runId, {
      share_token: shareId,
      selects: ['OUTPUTS'],
      start_time: '2024-05-01T10:10:00Z',
    }),
    { id: runId, outputs: { a: 2 } },
  );
  const everything = JSON.stringify([runs, found]);
  for (const hidden of [marker, experimentId]) t.notMatch(everything, hidden);
  t.equal((await request('GET', `/public/${shareId}/run/${randomUUID()}`)).status, 404);
  const other = await uploaded(marker);
  t.equal((await request('GET', `/public/${shareId}/run/${other.runId}`)).status, 404, 'another trace');
  t.match(await request('PUT', `/runs/${other.runId}/share`, { share_token: shareId }), { status: 409 });

  await client.unshareRun(runId);
  t.equal((await request('GET', `/public/${shareId}/run`)).status, 404);
  const { share_token: token } = await client.runs.share.create(runId, { session_id: experimentId, trace_id: runId });
  t.match((await request('GET', `/public/${token}/run`)).body, { id: runId });
  await client.runs.share.delete(runId, { session_id: experimentId });
  t.equal((await request('GET', `/public/${token}/run`)).status, 404);
});

t.test('shows what is shared in a browser, without a key and without the menu', async (t) => {
  const { datasetId, runId } = await uploaded('private text');
  const { url } = await client.shareDataset(datasetId);
  const { page, accessible, complaints } = await tab(t, server.url);
  await page.goto(url);
  await page.getByRole('heading', { level: 1, name: /^dataset / }).waitFor();
  await page.getByText('1 to 2 of 2').waitFor();
  t.equal(await page.getByRole('navigation', { name: 'Console' }).count(), 0);
  await accessible('shared dataset');
  await page.goto(await client.shareRun(runId));
  await page.getByRole('heading', { level: 1, name: 'row' }).waitFor();
  t.notMatch(await page.locator('body').textContent(), /private text/);
  await accessible('shared run');
  await client.unshareRun(runId);
  await page.reload();
  await page.getByText('This link is not valid, or no longer.').waitFor();
  t.ok(complaints.every((one) => one.includes('404')));
});

t.test('ends a share when its subject is deleted, also if the id is used again', async (t) => {
  const { datasetId, experimentId } = await uploaded('x');
  const { share_token: token } = await client.shareDataset(datasetId);
  const id = randomUUID();
  const trace = { id, trace_id: id, dotted_order: `20260101T000000000000Z${id}`, name: 'a', run_type: 'chain' };
  const run = { ...trace, inputs: {}, start_time: '2026-01-01T00:00:00Z' };
  await request('POST', '/api/v1/runs', { ...run, session_id: experimentId });
  const link = await client.shareRun(id);
  t.equal((await request('GET', `/public/${tokenOf(link)}/run`)).status, 200);
  await client.deleteDataset({ datasetId });
  t.equal((await request('GET', `/public/${token}/datasets`)).status, 404);
  t.equal((await request('GET', `/public/${tokenOf(link)}/run`)).status, 404);
  await request('POST', '/api/v1/datasets', { id: datasetId, name: `again ${randomUUID()}` });
  await request('POST', '/api/v1/runs', { ...run, session_name: `again ${randomUUID()}` });
  t.equal((await request('GET', `/public/${token}/datasets`)).status, 404);
  t.equal((await request('GET', `/public/${tokenOf(link)}/run`)).status, 404);
});

t.test('serves no share and makes none while the setting is off', async (t) => {
  const { datasetId, runId } = await uploaded('x');
  const { share_token: token } = await client.shareDataset(datasetId);
  await server.close();
  const closed = await testServer(t, { config, dataFolder });
  const names = /--public-shares, THREADMILL_PUBLIC_SHARES=true or http\.public_shares/;
  for (const path of [`datasets/${datasetId}`, `runs/${runId}`]) {
    const answer = await closed.post(`/api/v1/${path}/share`, undefined, { method: 'PUT' });
    t.equal(answer.status, 403);
    t.match(((await answer.json()) as Json)['detail'], names);
  }
  t.equal((await closed.get(`/public/${token}/datasets`)).status, 404);
  t.equal((await closed.post(`/api/v1/datasets/${datasetId}/share`, undefined, { method: 'DELETE' })).status, 200);
  await closed.close();
  const { code, stdout } = await cli(['doctor', '--store', '--data', dataFolder]);
  t.equal(code, 0, stdout);
});
