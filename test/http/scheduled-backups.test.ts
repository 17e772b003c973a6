import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { readConfig } from '../../src/config/config.js';
import { cli } from '../helpers/cli.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

interface Shown {
  last: { made_at: string; bytes: number } | null;
  schedule: {
    schedule: string;
    timezone: string;
    folder: string;
    keep: number;
    is_running: boolean;
    next_at: string | null;
    last_failure: { at: string; message: string } | null;
    files: { name: string; made_at: string; bytes: number }[];
  };
}

const shown = async (server: TestServer): Promise<Shown> =>
  (await (await server.get('/server/backup')).json()) as Shown;

/** Polls until the server shows it. */
async function until(server: TestServer, holds: (schedule: Shown['schedule']) => boolean): Promise<Shown> {
  for (;;) {
    const now = await shown(server);
    if (holds(now.schedule) && !now.schedule.is_running) return now;
    await setTimeout(10);
  }
}

function configOf(t: Test, backups: unknown): string {
  const file = configWith(t, 'echo');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), backups }));
  return file;
}

t.test('writes backups on schedule, keeps the newest, and makes up for a missed one', async (t) => {
  const folder = join(temporaryFolder(t), 'made', 'by-the-server');
  const dataFolder = temporaryFolder(t);
  const config = configOf(t, { schedule: '0 3 * * *', timezone: 'Europe/Berlin', folder, keep: 2 });
  const clock = new FakeClock('2026-01-31T10:00:00Z');
  const first = await testServer(t, { config, clock, dataFolder });
  const { thread_id: threadId } = await first.client.threads.create();
  t.strictSame(await shown(first), {
    last: null,
    schedule: {
      schedule: '0 3 * * *',
      timezone: 'Europe/Berlin',
      folder,
      keep: 2,
      is_running: false,
      next_at: '2026-01-31T10:00:00.000000+00:00',
      last_failure: null,
      files: [],
    },
  });

  clock.pass(0);
  const { last, schedule } = await until(first, ({ files }) => files.length === 1);
  const [file] = schedule.files as [Shown['schedule']['files'][number]];
  t.equal(file.name, 'threadmill-2026-01-31T100000Z.backup');
  t.equal(file.made_at, '2026-01-31T10:00:00.000000+00:00');
  t.equal(statSync(join(folder, file.name)).size, file.bytes);
  t.equal(statSync(join(folder, file.name)).mode & 0o777, 0o600);
  t.strictSame(last, { made_at: file.made_at, bytes: file.bytes });
  t.equal(schedule.next_at, '2026-02-01T02:00:00.000000+00:00', '3 in the morning in Berlin');

  const target = join(temporaryFolder(t), 'restored');
  const restored = await cli(['restore', join(folder, file.name), '--data', target]);
  t.equal(restored.code, 0, restored.stderr);
  const copy = await testServer(t, { config: configWith(t, 'echo'), dataFolder: target });
  t.equal((await copy.client.threads.get(threadId)).thread_id, threadId);

  // What a killed server left, and what is not of this server.
  writeFileSync(join(folder, 'threadmill-2026-01-30T020000Z.backup.part'), '');
  writeFileSync(join(folder, 'notes.backup'), '');
  for (const day of ['2026-02-01', '2026-02-02']) {
    clock.set(`${day}T02:00:00Z`);
    await until(first, ({ files }) => files[0]!.made_at.startsWith(day));
  }
  t.strictSame(
    (await until(first, ({ files }) => files.length === 2)).schedule.files.map(({ name }) => name),
    ['threadmill-2026-02-02T020000Z.backup', 'threadmill-2026-02-01T020000Z.backup'],
  );
  t.strictSame(readdirSync(folder).toSorted(), [
    'notes.backup',
    'threadmill-2026-02-01T020000Z.backup',
    'threadmill-2026-02-02T020000Z.backup',
  ]);
  await first.close();

  const nextAt = async (at: string): Promise<string | null> => {
    const server = await testServer(t, { config, clock: new FakeClock(at), dataFolder });
    const { schedule } = await shown(server);
    await server.close();
    return schedule.next_at;
  };
  t.equal(await nextAt('2026-02-02T23:00:00Z'), '2026-02-03T02:00:00.000000+00:00');
  t.equal(await nextAt('2026-02-04T23:00:00Z'), '2026-02-04T23:00:00.000000+00:00', 'at once, once for two slots');
});

t.test('shows why a backup failed, and tries again', async (t) => {
  const folder = join(temporaryFolder(t), 'backups');
  writeFileSync(folder, 'a file where the folder should be');
  const config = configOf(t, { schedule: '@daily', folder });
  const clock = new FakeClock('2026-01-31T10:00:00Z');
  const server = await testServer(t, { config, clock });
  t.equal((await shown(server)).schedule.next_at, '2026-01-31T10:00:00.000000+00:00');
  clock.pass(0);
  const { last, schedule } = await until(server, ({ last_failure: failure }) => failure !== null);
  t.equal(last, null);
  t.match(schedule.last_failure, { at: '2026-01-31T10:00:00.000000+00:00', message: /EEXIST|ENOTDIR/ });
  t.equal(schedule.next_at, '2026-01-31T10:10:00.000000+00:00');

  rmSync(folder);
  mkdirSync(folder);
  for (let minute = 1; minute <= 10; minute += 1) clock.pass(60_000);
  const again = await until(server, ({ files }) => files.length === 1);
  t.equal(again.schedule.last_failure, null);
  t.equal(again.schedule.next_at, '2026-02-01T00:00:00.000000+00:00');
});

t.test('leaves nothing of a backup that the end of the server breaks off', async (t) => {
  const folder = temporaryFolder(t);
  const clock = new FakeClock('2026-01-31T10:00:00Z');
  const server = await testServer(t, { config: configOf(t, { schedule: '@daily', folder }), clock });
  t.equal((await shown(server)).schedule.next_at, '2026-01-31T10:00:00.000000+00:00');
  clock.pass(0);
  await server.close();
  t.notOk(readdirSync(folder).some((name) => name.endsWith('.part')));
});

t.test('refuses settings that make no sense, and names the place', (t) => {
  for (const [backups, message] of [
    ['daily', /backups: must be an object/],
    [{ folder: '/b' }, /backups\.schedule: must be a cron schedule/],
    [{ schedule: '0 3 * *', folder: '/b' }, /backups: .*needs 5 fields/],
    [{ schedule: '0 0 30 2 *', folder: '/b' }, /backups: .*matches no time/],
    [
      { schedule: '@daily', timezone: 'Mars/Olympus', folder: '/b' },
      /timezone: "Mars\/Olympus" is not a known time zone/,
    ],
    [{ schedule: '@daily', timezone: 7, folder: '/b' }, /backups\.timezone: must be a time zone/],
    [{ schedule: '@daily' }, /backups\.folder: must be the path of a folder/],
    [{ schedule: '@daily', folder: '/b', keep: 0 }, /backups\.keep: must be a whole number from 1 to 1000/],
    [{ schedule: '@daily', folder: '/b', keepDays: 3 }, /keepDays/],
  ] as const)
    t.throws(() => readConfig({ config: configOf(t, backups) }, {}), { message });
  const { backups } = readConfig({ config: configOf(t, { schedule: '@daily', folder: 'near' }) }, {}).project;
  t.match(backups?.folder, /^\/.*\/near$/, 'relative to langgraph.json');
  t.equal(backups?.keep, 7);
  t.end();
});
