import t from 'tap';
import { systemClock } from '../../src/base/clock.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';
import { createCron, firings, getCron, patchCron, startOver, threadsOf, until } from './helpers.js';

const config = configWith(t, 'echo');

const START = '2026-03-10T08:00:30Z';
const HOURLY = { schedule: '0 * * * *', on_run_completed: 'keep', input: { text: 'x' } };

t.setTimeout(300_000);

/** For tests that need no restart. */
const clock = new FakeClock(START);
const server = await testServer(t, { config, clock });

t.test('fires once for all missed slots', async (t) => {
  await startOver(server, clock, START);
  const { cron_id: id } = await createCron(server, 'echo', { ...HOURLY, schedule: '* * * * *' });
  // The machine slept.
  clock.set('2026-03-13T17:20:40Z');
  await firings(server, id, 1);
  t.matchStrict(await getCron(server, id), {
    next_run_date: '2026-03-13T17:21:00.000000+00:00',
    last_run_date: '2026-03-13T17:20:40.000000+00:00',
    last_error: null,
  });
  clock.set('2026-03-13T17:21:00Z');
  await firings(server, id, 2);
});

t.test('fires once after a restart for all missed slots', async (t) => {
  const clock = new FakeClock(START);
  const first = await testServer(t, { config, clock });
  const { dataFolder } = first;
  const { cron_id: id } = await createCron(first, 'echo', HOURLY);
  const { cron_id: later } = await createCron(first, 'echo', { ...HOURLY, schedule: '0 20 * * *' });
  await first.close();
  clock.set('2026-03-10T12:30:00Z');
  const second = await testServer(t, { config, clock, dataFolder });
  await firings(second, id, 1);
  t.match(await getCron(second, id), { next_run_date: /T13:00/ });
  await second.close();
  const third = await testServer(t, { config, clock, dataFolder });
  await firings(third, id, 1);
  clock.set('2026-03-10T13:00:00Z');
  await firings(third, id, 2);
  t.matchStrict(await getCron(third, later), { last_run_id: null, next_run_date: /T20:00/ });
});

t.test('skips slots that are too old, and records them', async (t) => {
  const clock = new FakeClock(START);
  const env = { THREADMILL_CRON_LATE_SECS: '3600' };
  const first = await testServer(t, { config, clock, env });
  const { cron_id: daily } = await createCron(first, 'echo', { ...HOURLY, schedule: '0 9 * * *' });
  const { cron_id: often } = await createCron(first, 'echo', { ...HOURLY, schedule: '*/30 * * * *' });
  await first.close();
  clock.set('2026-03-12T11:10:00Z');
  const second = await testServer(t, { config, clock, env, dataFolder: first.dataFolder });
  t.matchStrict(await getCron(second, daily), {
    last_run_id: null,
    next_run_date: /^2026-03-13T09:00/,
    last_error: { error: 'CRON_MISSED', message: /firing at 2026-03-12T09:00:00.*3600 s/ },
  });
  // Its last slot is ten minutes old.
  await firings(second, often, 1);
  t.matchStrict(await getCron(second, often), { last_error: null });
});

t.test('stops at its end_time', async (t) => {
  await startOver(server, clock, START);
  const { cron_id: id } = await createCron(server, 'echo', { ...HOURLY, end_time: '2026-03-10T10:00:00Z' });
  const { cron_id: asleep } = await createCron(server, 'echo', { ...HOURLY, end_time: '2026-03-10T10:30:00Z' });
  clock.set('2026-03-10T09:00:00Z');
  await firings(server, asleep, 1);
  clock.set('2026-03-10T10:00:00Z');
  await firings(server, id, 2);
  await firings(server, asleep, 2);
  t.matchStrict(await getCron(server, id), { next_run_date: null, enabled: true });
  for (const at of ['2026-03-10T11:00:00Z', '2026-03-12T11:00:00Z']) clock.set(at);
  await firings(server, id, 2);
  await firings(server, asleep, 2);
  t.match(await patchCron(server, id, { end_time: null }), { next_run_date: /^2026-03-12T12:00/ });
  clock.set('2026-03-12T12:00:00Z');
  await firings(server, id, 3);
});

t.test('does not fire slots after its end_time', async (t) => {
  const clock = new FakeClock(START);
  const first = await testServer(t, { config, clock });
  const { cron_id: id } = await createCron(first, 'echo', { ...HOURLY, end_time: '2026-03-10T09:30:00Z' });
  await first.close();
  clock.set('2026-03-10T09:40:00Z');
  const second = await testServer(t, { config, clock, dataFolder: first.dataFolder });
  t.matchStrict(await getCron(second, id), { last_run_id: null, last_error: null, next_run_date: null });
});

t.test('does not fire while disabled, and continues from the present', async (t) => {
  await startOver(server, clock, START);
  const { cron_id: id } = await createCron(server, 'echo', HOURLY);
  const off = await patchCron(server, id, { enabled: false });
  t.match(off, { enabled: false, next_run_date: /T09:00/ });
  clock.set('2026-03-10T11:20:00Z');
  t.strictSame(await getCron(server, id), off);
  t.matchStrict(await patchCron(server, id, { enabled: true }), {
    enabled: true,
    next_run_date: /T12:00/,
    last_run_id: null,
  });
  clock.set('2026-03-10T11:59:00Z');
  t.strictSame(await threadsOf(server, id), []);
  clock.set('2026-03-10T12:00:00Z');
  await firings(server, id, 1);
});

t.test('computes the next time anew when schedule or time zone change', async (t) => {
  await startOver(server, clock, START);
  const { cron_id: id } = await createCron(server, 'echo', HOURLY);
  t.match(await patchCron(server, id, { schedule: '30 9 * * *' }), {
    next_run_date: '2026-03-10T09:30:00.000000+00:00',
  });
  t.match(await patchCron(server, id, { timezone: 'Asia/Kolkata' }), {
    next_run_date: '2026-03-11T04:00:00.000000+00:00',
  });
  t.match(await patchCron(server, id, { timezone: null }), { next_run_date: '2026-03-10T09:30:00.000000+00:00' });
  t.ok(clock.waiting.every((ms) => ms <= Date.parse('2026-03-10T09:30:00Z')));
  clock.set('2026-03-10T09:00:00Z');
  t.strictSame(await threadsOf(server, id), []);
  clock.set('2026-03-10T09:30:00Z');
  await firings(server, id, 1);
});

t.test('fires correctly when the clocks change, in both directions', async (t) => {
  const rounds: [timezone: string, schedule: string, from: string, hours: number, expected: string[]][] = [
    ['Europe/Berlin', '30 2 * * *', '2026-03-28T00:00:00Z', 72, ['03-28T01:30', '03-29T01:00', '03-30T00:30']],
    ['Australia/Lord_Howe', '45 1 * * *', '2026-04-03T12:00:00Z', 60, ['04-03T14:45', '04-04T14:45', '04-05T15:15']],
    ['Australia/Lord_Howe', '15 2 * * *', '2026-10-02T12:00:00Z', 60, ['10-02T15:45', '10-03T15:30', '10-04T15:15']],
    ['Europe/Berlin', '30 2 * * *', '2026-10-24T00:00:00Z', 72, ['10-24T00:30', '10-25T00:30', '10-26T01:30']],
    ['America/New_York', '30 1 * * *', '2026-10-31T00:00:00Z', 72, ['10-31T05:30', '11-01T05:30', '11-02T06:30']],
  ];
  await startOver(server, clock, rounds[0]![2]);
  for (const [timezone, schedule, from, hours, expected] of rounds) {
    clock.set(from);
    const { cron_id: id } = await createCron(server, 'echo', { ...HOURLY, schedule, timezone });
    for (let minutes = 15; minutes <= hours * 60; minutes += 15) {
      clock.set(Date.parse(from) + minutes * 60_000);
      // Firings take turns with the rest of the server.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    const threads = await firings(server, id, 3);
    t.strictSame(
      threads.map(({ created_at }) => created_at.slice(5, 16)),
      expected,
      `${timezone} ${schedule}`,
    );
    await server.client.crons.delete(id);
  }
});

t.test('fires no slot twice when the clock is set back', async () => {
  await startOver(server, clock, START);
  const { cron_id: id } = await createCron(server, 'echo', HOURLY);
  clock.set('2026-03-10T09:00:01Z');
  await firings(server, id, 1);
  clock.set('2026-03-10T08:59:58Z');
  clock.set('2026-03-10T09:00:02Z');
  await firings(server, id, 1);
  clock.set('2026-03-10T10:00:00Z');
  await firings(server, id, 2);
});

t.test('recovers from a clock that was wrong by a day, with and without a restart', async (t) => {
  for (const restarts of [false, true]) {
    const clock = new FakeClock('2026-03-11T08:00:30Z');
    const dataFolder = temporaryFolder(t);
    let server = await testServer(t, { config, clock, dataFolder });
    const { cron_id: id } = await createCron(server, 'echo', HOURLY);
    const { cron_id: fired } = await createCron(server, 'echo', { ...HOURLY, schedule: '5 * * * *' });
    clock.set('2026-03-11T08:05:00Z');
    await firings(server, fired, 1);
    if (restarts) await server.close();
    clock.jump('2026-03-10T08:06:00Z');
    if (restarts) server = await testServer(t, { config, clock, dataFolder });
    // The clock is looked at twice a minute.
    else clock.pass(30_000);
    await until(
      () => getCron(server, id),
      ({ next_run_date: next }) => next === '2026-03-10T09:00:00.000000+00:00',
    );
    clock.set('2026-03-10T09:05:00Z');
    await firings(server, id, 1);
    await firings(server, fired, 2);
  }
});

t.test('checks the clock during long sleeps, and wakes earlier for a nearer cron', async (t) => {
  const clock = new FakeClock(START);
  const server = await testServer(t, { config, clock });
  t.ok(
    clock.waiting.every((ms) => ms <= Date.parse(START) + 30_000),
    'a clock that was set is noticed',
  );
  await createCron(server, 'echo', { ...HOURLY, schedule: '0 0 29 2 *' });
  t.ok(clock.waiting.every((ms) => ms <= Date.parse(START) + 30_000));
  clock.set('2026-03-10T08:00:50Z');
  await createCron(server, 'echo', { ...HOURLY, schedule: '* * * * *' });
  const nextMinute = Date.parse('2026-03-10T08:01:00Z');
  t.strictSame(clock.waiting, [nextMinute, nextMinute], 'the cron, and the history of the load');
});

t.test('waits longer than setTimeout can', async (t) => {
  const rung: string[] = [];
  const cancel = systemClock.wakeAfter(2 ** 40, () => rung.push('far'));
  // The clock's timers hold up no process; this one does until then.
  const hold = setInterval(() => undefined, 1_000);
  await new Promise<void>((resolve) => {
    systemClock.wakeAfter(20, () => {
      rung.push('near');
      resolve();
    });
  });
  clearInterval(hold);
  cancel();
  t.strictSame(rung, ['near']);
});
