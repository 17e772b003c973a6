import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import t from 'tap';
import { WalkClient, type WalkRequest } from '../../src/cli/walk/walk-client.js';
import { walkSteps } from '../../src/cli/walk/recipes.js';
import { WALK_GRAPH, makeRecords } from '../../src/cli/walk/records.js';
import { buildRequest } from '../../src/cli/walk/requests.js';
import { readConfig, type Config } from '../../src/config/config.js';
import { walkGraphFile } from '../../src/pool/graphs/bundle.js';
import { openConfigured, ROOT, temporaryFolder } from '../helpers/server.js';

/** A server with a handler under which everyone sees their own, and the graph of the walk. */
async function guarded(): Promise<string> {
  const project = join(ROOT, 'test', 'access', 'project', 'langgraph.json');
  const config = readConfig(
    { config: project, port: '0', data: temporaryFolder(t), workers: '1', webhooks: false },
    { LOG_LEVEL: 'fatal' },
  );
  const file = walkGraphFile();
  const graphs = [{ graphId: WALK_GRAPH, file, exportName: 'graph', description: null }];
  const withGraph: Config = {
    ...config,
    publicShares: true,
    project: { ...config.project, root: dirname(file), graphs },
  };
  return await openConfigured(t, withGraph);
}

const url = await guarded();
const as = (name: string): WalkClient => new WalkClient(url, { authorization: `Bearer token-of-${name}` });
const [alice, bob] = [as('alice'), as('bob')];
const [hers, his] = [await makeRecords(alice), await makeRecords(bob)];
t.strictSame([...hers.failures, ...his.failures], []);

/**
 * Routes that make something under an id or a name that the request gives. One that is taken cannot be had, so these
 * tell that it is taken, whoever has it.
 */
const MAKES: ReadonlySet<string> = new Set([
  'POST /threads',
  'POST /threads/:thread_id/runs',
  'POST /threads/:thread_id/runs/stream',
  'POST /threads/:thread_id/runs/wait',
  'POST /threads/:thread_id/stream/events',
  'POST /threads/:thread_id/commands',
  'POST /assistants',
  'POST /api/v1/datasets',
  'POST /api/v1/datasets/upload',
  'POST /api/v1/datasets/upload-experiment',
  'POST /api/v1/datasets/comparative',
  'POST /api/v1/annotation-queues',
  'POST /api/v1/examples',
  'POST /api/v1/examples/bulk',
  'POST /api/v1/sessions',
  'POST /api/v1/runs',
  'POST /api/v1/runs/batch',
  'POST /api/v1/runs/multipart',
  'POST /v1/traces',
  'POST /api/v1/runs/import',
  'POST /api/v1/feedback',
  'POST /api/v1/feedback/tokens',
]);

/** The same request about records that there are none of, and the ids in an answer as words. */
function elsewhere(sent: WalkRequest): { sent: WalkRequest; plain: (text: string) => string } {
  const others = new Map(hers.secrets().map((id) => [id, id.replace(/[0-9a-f-]{36}/g, () => randomUUID())]));
  const replaced = (text: string): string => [...others].reduce((all, [id, other]) => all.replaceAll(id, other), text);
  const plain = (text: string): string => {
    return [...others].reduce(
      (all, [id, other], at) => all.replaceAll(id, `<${at}>`).replaceAll(other, `<${at}>`),
      text,
    );
  };
  return {
    sent: { ...sent, target: replaced(sent.target), body: sent.body === null ? null : replaced(sent.body) },
    plain,
  };
}

t.test('gives the same answer for a record of another user as for a missing one', async (t) => {
  for (const { name, route, recipe } of walkSteps()) {
    for (const [at, { build }] of recipe.attempts.entries()) {
      const sent = buildRequest(route, build(hers, his));
      const { sent: nothing, plain } = elsewhere(sent);
      const [found, missing] = [await bob.send(sent), await bob.send(nothing)];
      if (sent.target === nothing.target && sent.body === nothing.body) continue;
      if (MAKES.has(name) && found.status >= 400 && missing.status < 300) continue;
      const [foreign, none] = [found, missing].map(
        ({ status, body }) => `${status} ${status < 300 ? '' : plain(body)}`,
      );
      t.equal(foreign, none, `${name} (${at})`);
    }
  }
});
