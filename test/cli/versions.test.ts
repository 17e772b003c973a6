import t from 'tap';
import { cli } from '../helpers/cli.js';
import { freePort } from '../helpers/ports.js';
import { configWith, testServer } from '../helpers/server.js';

t.test('lists the versions of the code of each graph', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo', 'gate') });
  const { code, stdout } = await cli(['versions', '--url', server.url]);
  t.equal(code, 0);
  const [head, ...rows] = stdout.trimEnd().split('\n');
  t.match(head, /^graph +version +state +first used +last used +KiB +LangGraph$/);
  t.same(
    rows.map((row) => row.split(/ +/)[0]),
    ['echo', 'gate'],
  );
  for (const row of rows) t.match(row, /^\w+ +[0-9a-f]{12} +current +20\S+ +20\S+ +\d+\.\d +1\.\d+\.\d+$/);
  const json = JSON.parse((await cli(['versions', '--url', server.url, '--json'])).stdout) as {
    graphs: { versions: { version: string }[] }[];
  };
  t.ok(rows[0]!.includes(json.graphs[0]!.versions[0]!.version));
  const nobody = `http://127.0.0.1:${await freePort()}`;
  t.match(await cli(['versions', '--url', nobody]), { code: 1, stderr: /No server is listening/ });
});
