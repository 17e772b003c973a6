import t from 'tap';
import { createKey } from '../../src/store/access/api-keys.js';
import { cli } from '../helpers/cli.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

t.test('lists and exports what was changed', async (t) => {
  const dataFolder = temporaryFolder(t);
  const { text } = createKey(dataFolder, { name: 'admin' });
  const server = await testServer(t, { dataFolder, config: configWith(t, 'echo') });
  const audit = (...more: string[]): ReturnType<typeof cli> =>
    cli(['audit', '--url', server.url, '--api-key', text, ...more]);
  t.match(await audit(), { code: 0, stdout: '', stderr: 'No entry matches.\n' });
  for (const id of ['one', 'two', 'three'])
    await fetch(`${server.url}/server/keys/${id}`, { method: 'DELETE', headers: { 'x-api-key': text } });
  const { code, stdout } = await audit('--limit', '2');
  t.equal(code, 0);
  const [head, first, second, ...others] = stdout.split('\n');
  t.match(head, /^time +who +request +record +result +address$/);
  t.match(first, /^\d{4}-\S+Z +key admin +DELETE \/server\/keys\/\{key\} +three +404 +127\.0\.0\.1/);
  t.match(second, / two /);
  t.same(others, ['']);
  const exported = (await audit('--export', '--action', 'server', '--failed')).stdout.trimEnd().split('\n');
  t.same(
    exported.map((line) => (JSON.parse(line) as { record: string }).record),
    ['three', 'two', 'one'],
  );
  t.match(JSON.parse((await audit('--json', '--record', 'one', '--since', '2020-01-01')).stdout), [{ record: 'one' }]);
  t.match(await audit('--since', 'yesterday'), { code: 1, stderr: /--since: "yesterday" is not a time/ });
  t.match(await audit('--limit', '0'), { code: 1, stderr: /--limit/ });
  t.match(await cli(['audit', '--url', server.url]), { code: 1, stderr: /Not authenticated/ });

  await server.close();
  t.match(await cli(['doctor', '--store', '--data', dataFolder]), { code: 0, stdout: /, no problems\.\n$/ });
});
