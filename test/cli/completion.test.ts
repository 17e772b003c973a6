import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { program } from '../../src/cli/program.js';
import { cli } from '../helpers/cli.js';
import { temporaryFolder } from '../helpers/server.js';

const run = promisify(execFile);

t.test('completes commands, flags, files and folders in bash', async (t) => {
  const folder = temporaryFolder(t);
  const script = await cli(['completion', 'bash']);
  t.equal(script.code, 0);
  writeFileSync(join(folder, 'script.bash'), script.stdout);
  writeFileSync(join(folder, 'results.jsonl'), '');
  mkdirSync(join(folder, 'results'));
  const offered = async (line: string): Promise<string[]> => {
    const words = line.split(' ');
    const { stdout } = await run(
      'bash',
      [
        '--norc',
        '-c',
        `set -u; . ./script.bash; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _threadmill; printf '%s\\n' "\${COMPREPLY[@]+"\${COMPREPLY[@]}"}"`,
      ],
      { cwd: folder },
    );
    return stdout
      .split('\n')
      .filter((word) => word !== '')
      .toSorted();
  };
  t.strictSame(await offered('threadmill ser'), ['serve']);
  t.strictSame(
    (await offered('threadmill ')).filter((word) => !word.startsWith('-')),
    [...program.commands.map((one) => one.name()), 'help'].toSorted(),
  );
  t.strictSame(await offered('threadmill serve --po'), ['--port']);
  t.strictSame(await offered('threadmill serve --tls'), ['--tls-cert', '--tls-key']);
  t.strictSame(
    (await offered('threadmill keys ')).filter((word) => !word.startsWith('-')),
    ['create', 'help', 'list', 'revoke'],
  );
  t.strictSame(await offered('threadmill keys create --na'), ['--name']);
  t.strictSame(await offered('threadmill keys create --name x --ex'), ['--expires'], 'after a flag with a value');
  t.strictSame(await offered('threadmill keys create --name '), [], 'nobody knows it');
  t.strictSame(await offered('threadmill upload res'), ['results', 'results.jsonl'], 'a file, also one in a folder');
  t.strictSame(await offered('threadmill serve --data res'), ['results'], 'a folder');
  t.strictSame(await offered('threadmill serve --config res'), ['results', 'results.jsonl']);
  await run('bash', ['-n', join(folder, 'script.bash')]);
});

t.test('lists every command and flag in each script', async (t) => {
  const [zsh, fish] = (await Promise.all(
    ['zsh', 'fish'].map(async (shell) => (await cli(['completion', shell])).stdout),
  )) as [string, string];
  t.match(zsh, /^autoload .*bashcompinit$/m);
  for (const command of program.commands) {
    t.match(fish, new RegExp(`^complete -c threadmill .*-a ${command.name()} -d '`, 'm'));
    for (const { long, hidden } of [command, ...command.commands].flatMap((one) => one.options)) {
      if (hidden) {
        t.notOk(zsh.includes(long!) || fish.includes(long!.slice(2)), `${long!} is not offered`);
        continue;
      }
      t.ok(zsh.includes(long!), long!);
      t.match(fish, new RegExp(` -l ${long!.slice(2)} `), long!);
    }
  }
  // A quote that is open would make the rest of the script text.
  for (const line of fish.split('\n')) t.equal((line.replace(/\\./g, '').match(/'/g) ?? []).length % 2, 0, line);
  const none = await cli(['completion', 'tcsh']);
  t.equal(none.code, 1);
  t.match(none.stderr, /Allowed choices are bash, zsh, fish/);
});
