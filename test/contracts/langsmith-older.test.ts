import { randomUUID } from 'node:crypto';
import type { Run } from 'langsmith';
import type * as base from 'langsmith-0.3';
import type * as evaluation from 'langsmith-0.3/evaluation';
import type * as runTrees from 'langsmith-0.3/run_trees';
import type * as traceables from 'langsmith-0.3/traceable';
import t from 'tap';
import { all, until } from '../helpers/langsmith.js';
import { configWith, testServer } from '../helpers/server.js';

/**
 * Older releases of the client of evaluation results, unmodified: an evaluation from its dataset to its comparison, and
 * traces.
 */
const server = await testServer(t, { config: configWith(t, 'echo') });
Object.assign(process.env, { LANGSMITH_ENDPOINT: server.url, LANGSMITH_API_KEY: 'any', LANGSMITH_TRACING: 'true' });
t.capture(console, 'log');
const complaints = t.capture(console, 'error');
type Release = [typeof base, typeof evaluation, typeof traceables, typeof runTrees];
const load = async (name: string): Promise<Release> =>
  (await Promise.all(
    ['', '/evaluation', '/traceable', '/run_trees'].map((module) => import(`${name}${module}`)),
  )) as unknown as Release;
const RELEASES = { '0.3': await load('langsmith-0.3'), '0.7': await load('langsmith-0.7') };

for (const [release, [{ Client }, { evaluate, evaluateComparative }, { traceable }, { RunTree }]] of Object.entries(
  RELEASES,
))
  t.test(`langsmith ${release}`, async (t) => {
    const client = new Client({ apiUrl: server.url, apiKey: 'any' });
    const name = `squares-${randomUUID()}`;
    const dataset = await client.createDataset(name, { description: 'of small numbers' });
    const datasetId = dataset.id;
    const numbers = [1, 2, 3];
    await client.createExamples({
      datasetId,
      inputs: numbers.map((q) => ({ q })),
      outputs: numbers.map((q) => ({ a: q * q })),
    });
    await client.createExample({ q: 4 }, { a: 16 }, { datasetId });

    await t.test('reads and changes examples', async (t) => {
      t.equal((await client.readDataset({ datasetName: name })).id, datasetId);
      t.ok(await client.hasDataset({ datasetName: name }));
      const [one, ...others] = await all(client.listExamples({ datasetId }));
      t.equal(others.length, 3);
      await client.updateExample(one!.id, { metadata: { seen: true } });
      t.match((await client.readExample(one!.id)).metadata, { seen: true });
    });

    await t.test('uploads an example with an attachment and reads it back', async (t) => {
      const content = new TextEncoder().encode('hello');
      const uploaded = await client.uploadExamplesMultipart(datasetId, [
        { id: randomUUID(), inputs: { q: 5 }, outputs: { a: 25 }, attachments: { note: ['text/plain', content] } },
      ]);
      t.equal(uploaded.count, 1);
      const [found] = (await all(client.listExamples({ datasetId, includeAttachments: true }))).flatMap(
        ({ attachments }) => attachments?.['note'] ?? [],
      );
      t.equal(await (await fetch(new URL(found!.presigned_url, server.url))).text(), 'hello');
    });

    await t.test('evaluates, scores and compares', async (t) => {
      const square = async ({ q }: { q: number }): Promise<{ a: number }> => {
        const multiply = traceable(async (n: number) => n * n, { name: 'multiply', run_type: 'tool', client });
        const a = await multiply(q);
        return { a: q === 3 ? 8 : a };
      };
      const exact = ({ run, example }: { run: { outputs?: object }; example?: { outputs?: object } }) => ({
        key: 'exact',
        score: JSON.stringify(run.outputs) === JSON.stringify(example?.outputs) ? 1 : 0,
      });
      const options = { data: name, evaluators: [exact as never], client };
      const first = await evaluate(square as never, { ...options, maxConcurrency: 2 });
      const second = await evaluate((({ q }: { q: number }) => ({ a: q * q })) as never, options);
      t.equal(first.results.length, 5);
      await client.awaitPendingTraceBatches();
      const { feedback_stats: stats } = await until(
        () => client.readProject({ projectName: first.experimentName, includeStats: true }),
        (project) => (project.feedback_stats?.['exact'] as { n: number } | undefined)?.n === 5,
      );
      t.match(stats, { exact: { n: 5, avg: 0.8 } });
      const roots = await all(client.listRuns({ projectName: first.experimentName, isRoot: true }));
      t.equal(roots.length, 5);
      const { child_runs: children } = (await client.readRun(roots[0]!.id, { loadChildRuns: true })) as Run;
      t.match(children, [{ name: 'multiply', run_type: 'tool' }]);
      await client.createFeedback(roots[0]!.id, 'human', { score: 1 });
      t.equal((await all(client.listFeedback({ runIds: [roots[0]!.id] }))).length, 2);
      const compared = await evaluateComparative([first.experimentName, second.experimentName], {
        evaluators: [
          (({ runs }: { runs: { id: string }[] }) => ({
            key: 'preferred',
            scores: Object.fromEntries(runs.map(({ id }, at) => [id, at])),
          })) as never,
        ],
        client,
      });
      t.equal(compared.results.length, 5);
      t.equal((await all(client.listProjects({ referenceDatasetId: datasetId }))).length, 2);
    });

    await t.test('traces a run with a child and an attachment', async (t) => {
      const tree = new RunTree({
        name: 'root',
        inputs: { a: 1 },
        client,
        project_name: `${name} traces`,
        attachments: { picture: ['image/png', new Uint8Array([1, 2, 3])] },
      });
      await tree.postRun();
      const child = tree.createChild({ name: 'child', run_type: 'llm', inputs: {} });
      await child.postRun();
      await child.end({ o: 1 });
      await child.patchRun();
      await tree.end({ b: 2 });
      await tree.patchRun();
      await client.awaitPendingTraceBatches();
      const read = await until(
        () => client.readRun(tree.id, { loadChildRuns: true }),
        ({ outputs, child_runs: children }) => outputs !== undefined && outputs !== null && children?.length === 1,
      );
      t.match(read, { inputs: { a: 1 }, outputs: { b: 2 } });
    });

    await client.deleteDataset({ datasetId });
    t.strictSame(await all(client.listDatasets({ datasetIds: [datasetId] })), []);
    t.strictSame(complaints(), []);
  });
