import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readProject } from '../../src/config/config.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const FOLDER = join(ROOT, 'test', 'schemas', 'project');
/** The compiler gets all the time it takes on a busy machine. */
const PATIENT = { LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS: '100000' };

type Schema = { properties?: Record<string, unknown> };
const names = (schema: unknown): string[] => Object.keys((schema as Schema).properties ?? {});

t.test('caches schemas read from types until a file changes', async (t) => {
  const [folder, dataFolder] = [temporaryFolder(t), temporaryFolder(t)];
  cpSync(FOLDER, folder, { recursive: true });
  const config = join(folder, 'langgraph.json');
  const first = await testServer(t, { config, dataFolder, env: PATIENT });
  const schemas = await first.client.assistants.getSchemas('annotated');
  await first.close();
  t.ok((schemas.state_schema as Schema).properties!['words'], 'a project without packages of its own gets ours');
  const cache = join(dataFolder, 'cache');
  const [kept] = readdirSync(cache).filter((name) => name.startsWith('types-'));
  const entry = JSON.parse(readFileSync(join(cache, kept!), 'utf8')) as {
    files: Record<string, string>;
    schemas: Record<string, Record<string, unknown>>;
  };
  t.strictSame(entry.schemas['']!['state'], schemas.state_schema);
  for (const name of ['annotated.ts', 'place.ts'])
    t.ok(
      Object.keys(entry.files).some((file) => file.endsWith(name)),
      name,
    );
  t.ok(
    Object.keys(entry.files).some((file) => file.endsWith('node_modules/@langchain/langgraph/package.json')),
    'a package is told by its version',
  );
  t.notOk(Object.keys(entry.files).some((file) => file.endsWith('.d.ts')));

  entry.schemas['']!['state'] = { type: 'object', title: 'kept' };
  writeFileSync(join(cache, kept!), JSON.stringify(entry));
  const { client, reload } = await testServer(t, { config, dataFolder, env: PATIENT });
  const state = async (graph: string): Promise<Schema> =>
    (await client.assistants.getSchemas(graph)).state_schema as Schema;
  t.match(await state('annotated'), { title: 'kept' }, 'after a restart');
  t.strictSame(names(await state('zod')), ['question', 'words']);

  writeFileSync(
    join(folder, 'place.ts'),
    readFileSync(join(folder, 'place.ts'), 'utf8').replace('city: string', 'town: number'),
  );
  writeFileSync(
    join(folder, 'zod.ts'),
    readFileSync(join(folder, 'zod.ts'), 'utf8').replace('question: z.string()', 'riddle: z.string()'),
  );
  await reload(readProject(config));
  t.match(((await state('annotated')) as { definitions?: unknown }).definitions, {
    Place: { properties: { town: { type: 'number' } } },
  });
  t.strictSame(names(await state('zod')), ['riddle', 'words']);
});
