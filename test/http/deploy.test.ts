import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { projectFolder } from '../helpers/project-folder.js';
import { temporaryFolder, testServer, WITHOUT_TYPES } from '../helpers/server.js';

interface Deployed {
  config: string;
  graphs: { graph_id: string; before: string | null; version: string | null; changed: boolean }[];
  restart_needed: string[];
}

const wrong = (code: string): string => code.replace('sum + Number(one)', 'sum - Number(one)');

t.test('loads the project again, and other code from folders that it allows', async (t) => {
  const releases = temporaryFolder(t);
  const folder = projectFolder(t, ['sums'], undefined, { code_versions: { deploy_from: [releases] } });
  const server = await testServer(t, { config: join(folder, 'langgraph.json'), env: WITHOUT_TYPES });
  const deploy = async (config: string | null): Promise<{ status: number; body: Deployed & { detail: string } }> => {
    const response = await server.post('/server/code', { config });
    return { status: response.status, body: (await response.json()) as Deployed & { detail: string } };
  };
  const sum = async (): Promise<unknown> =>
    server.client.runs
      .wait(null, 'sums', { input: { question: '3 + 4' } })
      .then((one) => (one as { answer: string }).answer);
  t.equal(await sum(), '7');
  const same = await deploy(null);
  t.match(same, { status: 200, body: { config: join(folder, 'langgraph.json'), restart_needed: [] } });
  t.match(same.body.graphs, [{ graph_id: 'sums', changed: false }]);

  const next = join(releases, 'next');
  mkdirSync(next);
  const source = projectFolder(t, ['sums'], wrong, { traces: true });
  for (const name of ['sums.ts', 'langgraph.json']) writeFileSync(join(next, name), readFileSync(join(source, name)));
  const { status, body } = await deploy(join(next, 'langgraph.json'));
  t.equal(status, 200);
  t.match(body.graphs, [{ graph_id: 'sums', changed: true, before: same.body.graphs[0]!.version! }]);
  t.strictSame(body.restart_needed, ['traces']);
  t.equal(await sum(), '-7');

  const outside = await deploy(join(source, 'langgraph.json'));
  t.match(outside, { status: 409, body: { detail: /is not one of the folders of "code_versions"/ } });
  t.match(await deploy('langgraph.json'), { status: 409, body: { detail: /is not an absolute path/ } });
  t.match(await deploy(join(releases, '..', 'x', 'langgraph.json')), { status: 409 });
  t.match(await deploy(join(releases, 'none', 'langgraph.json')), { status: 422, body: { detail: /does not exist/ } });
  writeFileSync(join(next, 'sums.ts'), 'export const graph = 1 +;');
  t.match(await deploy(null), {
    status: 422,
    body: { detail: /does not load, and the code before it stays in use\. .*sums/ },
  });
  t.equal(await sum(), '-7', 'the code before stays');
});

t.test('only a key with full access or its scope may deploy', async (t) => {
  const folder = projectFolder(t, ['sums']);
  const dataFolder = temporaryFolder(t);
  const keyWith = (name: string, scopes: string[]): string => createKey(dataFolder, { name, scopes }).text;
  const keys = {
    all: keyWith('all', ['*']),
    own: keyWith('own', ['server:deploy']),
    read: keyWith('read', ['read', 'server:code']),
  };
  const server = await testServer(t, { config: join(folder, 'langgraph.json'), env: WITHOUT_TYPES, dataFolder });
  for (const [name, status] of [
    ['all', 200],
    ['own', 200],
    ['read', 403],
  ] as const) {
    const response = await server.post('/server/code', {}, { headers: { 'x-api-key': keys[name] } });
    t.equal(response.status, status, name);
    await response.text();
  }
});
