import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { validate } from 'dockerfile-utils';
import t from 'tap';
import { parse } from 'yaml';
import { buildDebian } from '../../packaging/debian.js';
import { readProject } from '../../src/config/config.js';
import { VERSION } from '../../src/base/version.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

const run = promisify(execFile);
const read = (path: string): string => readFileSync(join(ROOT, 'packaging', path), 'utf8');
const there = (command: string): boolean =>
  process.env['PATH']!.split(delimiter).some((folder) => existsSync(join(folder, command)));

t.test('has a valid Dockerfile that copies existing files', (t) => {
  const text = read('Dockerfile');
  t.strictSame(
    validate(text).map(({ message }) => message),
    [],
  );
  t.not(validate(text.replace('WORKDIR', 'WORKDIRS')).length, 0, 'faults are found');
  for (const [, sources] of text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)) {
    for (const source of sources!.split(' ')) t.ok(existsSync(join(ROOT, source)), source);
  }
  for (const [, path] of text.matchAll(/^COPY --from=build \/build\/((?!dist)\S+)/gm))
    t.ok(existsSync(join(ROOT, path!)), path!);
  const last = text.slice(text.lastIndexOf('\nFROM'));
  t.match(last, /^USER [1-9]\d*:[1-9]\d*$/m, 'not root');
  t.match(last, /^HEALTHCHECK .*CMD \["threadmill-healthcheck"\]$/m);
  t.match(last, /^VOLUME \/data$/m);
  t.end();
});

t.test('keeps the security settings of the compose file', (t) => {
  const { services, volumes } = parse(read('compose.yaml')) as {
    services: Record<string, Record<string, unknown>>;
    volumes: Record<string, unknown>;
  };
  const { build, ...threadmill } = services['threadmill'] as { build: { context: string; dockerfile: string } };
  t.ok(existsSync(join(ROOT, 'packaging', build.context, build.dockerfile)));
  t.match(threadmill, {
    read_only: true,
    init: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    ports: ['127.0.0.1:8123:8123'],
    environment: { THREADMILL_API_KEYS: /^\$\{THREADMILL_API_KEYS:\?/ },
  });
  const [name, place] = (threadmill as { volumes: string[] }).volumes[0]!.split(':');
  t.ok(Object.hasOwn(volumes, name!));
  t.match(read('Dockerfile'), new RegExp(`^VOLUME ${place!}$`, 'm'));
  t.end();
});

t.test('reports in the health check whether the server answers', async (t) => {
  const script = join(ROOT, 'packaging/healthcheck.sh');
  const server = await testServer(t);
  const port = new URL(server.url).port;
  const code = (env: Record<string, string>): number | null =>
    spawnSync('bash', [script], { env: { PATH: process.env['PATH'], ...env } }).status;
  // Not in this thread's way: the server answers on it.
  await run('bash', [script], { env: { PATH: process.env['PATH'], PORT: port } });
  await t.rejects(
    run('bash', [script], { env: { PATH: process.env['PATH'], PORT: port, MOUNT_PREFIX: '/nowhere' } }),
    'another answer than 200',
  );
  await server.close();
  t.not(code({ PORT: port }), 0, 'nobody listens');
});

t.test(
  'restricts the systemd service',
  { skip: there('systemd-analyze') ? false : 'there is no systemd-analyze here' },
  async (t) => {
    const unit = join(ROOT, 'packaging/threadmill.service');
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
      .stderr.split('\n')
      .filter((line) => line !== '' && !line.includes('/usr/bin/threadmill is not executable'));
    t.strictSame(verified, []);
    const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', '--no-pager', unit]);
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)![1]);
    t.ok(exposure < 2, `${exposure} of 10`);
  },
);

t.test(
  'contains its files and starts nothing in the Debian package',
  { skip: there('dpkg-deb') ? false : 'there is no dpkg-deb here' },
  async (t) => {
    const folder = temporaryFolder(t);
    const binary = join(folder, 'binary');
    writeFileSync(binary, '#!/bin/sh\necho stand-in\n');
    const file = buildDebian(binary, 'licences of others\n', folder);
    const fields = (await run('dpkg-deb', ['--field', file])).stdout;
    for (const line of [
      'Package: threadmill',
      `Version: ${VERSION}`,
      'Depends: libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 11)',
    ])
      t.ok(fields.split('\n').includes(line), line);

    const listed = (await run('dpkg-deb', ['--contents', file])).stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/));
    const modes = Object.fromEntries(listed.map(([mode, owner, , , , path]) => [path!, `${mode} ${owner}`]));
    t.match(modes, {
      './usr/bin/threadmill': '-rwxr-xr-x root/root',
      './usr/lib/systemd/system/threadmill.service': '-rw-r--r-- root/root',
      './etc/threadmill/langgraph.json': '-rw-r--r-- root/root',
      './etc/threadmill/environment': '-rw------- root/root',
      './usr/share/doc/threadmill/copyright': '-rw-r--r-- root/root',
      './usr/share/doc/threadmill/install.md': '-rw-r--r-- root/root',
      './etc/threadmill/': 'drwxr-xr-x root/root',
    });

    const control = join(folder, 'control');
    await run('dpkg-deb', ['--control', file, control]);
    t.equal(
      readFileSync(join(control, 'conffiles'), 'utf8'),
      '/etc/threadmill/environment\n/etc/threadmill/langgraph.json\n',
    );
    const root = join(folder, 'root');
    await run('dpkg-deb', ['--extract', file, root]);
    await run('md5sum', ['--check', '--quiet', join(control, 'md5sums')], { cwd: root });
    t.match(
      readFileSync(join(root, 'usr/share/doc/threadmill/copyright'), 'utf8'),
      /Apache License[^]*licences of others/,
    );

    // What the scripts ask of systemd, where it runs; here a program in its place writes it down.
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'systemctl'), `#!/bin/sh\necho "$@" >> ${join(folder, 'asked')}\n`, { mode: 0o755 });
    for (const [script, argument] of [
      ['postinst', 'configure'],
      ['prerm', 'upgrade'],
      ['prerm', 'remove'],
      ['postrm', 'remove'],
    ] as const) {
      const text = readFileSync(join(control, script), 'utf8').replaceAll('/run/systemd/system', folder);
      writeFileSync(join(tools, script), text, { mode: 0o755 });
      await run(join(tools, script), [argument], { env: { PATH: `${tools}${delimiter}${process.env['PATH']}` } });
    }
    t.strictSame(readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n'), [
      'daemon-reload',
      '--quiet is-active threadmill.service',
      '--quiet disable --now threadmill.service',
      'daemon-reload',
    ]);

    // The graph of its configuration is where the package puts it.
    const config = join(folder, 'langgraph.json');
    writeFileSync(
      config,
      readFileSync(join(root, 'etc/threadmill/langgraph.json'), 'utf8').replaceAll(
        '/usr/share',
        join(root, 'usr/share'),
      ),
    );
    for (const graph of readProject(config).graphs) t.ok(existsSync(graph.file), graph.file);
  },
);
