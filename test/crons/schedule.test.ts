import t from 'tap';
import { parseSchedule } from '../../src/services/crons/cron-schedule.js';

/** The next slots after a time, as `05-31T22:00` in UTC. */
function slots(schedule: string, timezone: string | null, from: string, count: number): string[] {
  const read = parseSchedule(schedule, timezone);
  const found: string[] = [];
  for (let ms: number | null = Date.parse(from); found.length < count && ms !== null;) {
    const before: number = ms;
    ms = read.nextAfter(before);
    if (ms === null) break;
    t.ok(ms > before && ms % 60_000 === 0, `${schedule}: a slot is a whole minute, and later than the one before`);
    found.push(new Date(ms).toISOString().slice(5, 16));
  }
  return found;
}

t.test('accepts valid schedules', (t) => {
  const from = '2026-01-01T00:00:00Z';
  const cases: [schedule: string, next: string][] = [
    ['* * * * *', '01-01T00:01'],
    ['*/15 * * * *', '01-01T00:15'],
    ['0/15 * * * *', '01-01T00:15'],
    ['5/20 * * * *', '01-01T00:05'],
    ['10,40 * * * *', '01-01T00:10'],
    ['0 9-17/2 * * *', '01-01T09:00'],
    ['0 0 * jan,MAR mon-FRI', '01-02T00:00'],
    // Sunday by three names.
    ['0 0 * * 0', '01-04T00:00'],
    ['0 0 * * 7', '01-04T00:00'],
    ['0 0 * * SUN', '01-04T00:00'],
    ['0 0 * * 6-7', '01-03T00:00'],
    // The last day of the month, the last Friday in three spellings, the second Monday.
    ['0 0 L * *', '01-31T00:00'],
    ['0 0 * * 5L', '01-30T00:00'],
    ['0 0 * * L5', '01-30T00:00'],
    ['0 0 * * fri#L', '01-30T00:00'],
    ['0 0 * * 1#2', '01-12T00:00'],
    ['0 0 * * l1,L2', '01-26T00:00'],
    // A day of the month or a day of the week: either is enough.
    ['0 0 13 * 5', '01-02T00:00'],
    ['@daily', '01-02T00:00'],
    ['@Hourly', '01-01T01:00'],
    ['@weekly', '01-04T00:00'],
    ['@monthly', '02-01T00:00'],
    [' 0\t9  * * * ', '01-01T09:00'],
    ['0 0 29 2 *', '02-29T00:00'],
  ];
  for (const [schedule, next] of cases) t.strictSame(slots(schedule, null, from, 1), [next], schedule);
  t.end();
});

t.test('refuses invalid schedules', (t) => {
  for (const schedule of [
    '',
    ' ',
    '*',
    '* * * *',
    '* * * * * *',
    '0 * * * * *',
    '* * * * * * *',
    'a b c d e',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 32 * *',
    '0 0 * 13 *',
    '0 0 * * 8',
    '*/0 * * * *',
    '5-1 * * * *',
    '1,,2 * * * *',
    '0 0 * * 1#6',
    '0 0 L-3 * *',
    '@reboot',
    '@every',
    '2030-01-01T00:00:00',
    '12:00 * * * *',
    'H * * * *',
    '-1 * * * *',
    '* * * * *; rm',
    // Never.
    '0 0 30 2 *',
    '0 0 31 4,6,9,11 *',
  ])
    t.throws(
      () => parseSchedule(schedule, null),
      { code: 'CRON_SCHEDULE_INVALID', message: /^Invalid cron schedule: body\.schedule: ./ },
      schedule,
    );
  for (const zone of ['', ' ', 'Mars/Base', '+02:00', 'GMT+3', '../x', 'Europe/Berlin ', '\u0000'])
    t.throws(() => parseSchedule('* * * * *', zone), { code: 'INVALID_REQUEST', message: /^body\.timezone: / }, zone);
  for (const zone of ['UTC', 'europe/berlin', 'US/Eastern', 'Etc/GMT+3', 'Asia/Kolkata'])
    parseSchedule('* * * * *', zone);
  t.end();
});

t.test('uses UTC without a time zone', (t) => {
  t.strictSame(slots('0 9 * * *', null, '2026-07-01T00:00:00Z', 1), ['07-01T09:00']);
  t.strictSame(slots('0 9 * * *', 'UTC', '2026-07-01T00:00:00Z', 1), ['07-01T09:00']);
  t.strictSame(slots('0 9 * * *', 'Asia/Kolkata', '2026-07-01T00:00:00Z', 1), ['07-01T03:30']);
  t.end();
});

t.test('fires skipped times once, right after the clocks go forward, and continues intervals', (t) => {
  // 02:00 to 03:00 local is left out.
  t.strictSame(slots('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', 3), [
    '03-28T01:30',
    '03-29T01:00',
    '03-30T00:30',
  ]);
  t.strictSame(slots('0,30 2 * * *', 'Europe/Berlin', '2026-03-28T02:00:00Z', 3), [
    '03-29T01:00',
    '03-30T00:00',
    '03-30T00:30',
  ]);
  t.strictSame(slots('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:00:00Z', 4), [
    '03-29T00:30',
    '03-29T01:00',
    '03-29T01:30',
    '03-29T02:00',
  ]);
  t.strictSame(slots('30 2 * * *', 'America/New_York', '2026-03-07T00:00:00Z', 3), [
    '03-07T07:30',
    '03-08T07:00',
    '03-09T06:30',
  ]);
  // Half an hour: 02:00 to 02:30 local.
  t.strictSame(slots('15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T00:00:00Z', 3), [
    '10-02T15:45',
    '10-03T15:30',
    '10-04T15:15',
  ]);
  t.strictSame(slots('*/15 * * * *', 'Australia/Lord_Howe', '2026-10-03T15:00:00Z', 4), [
    '10-03T15:15',
    '10-03T15:30',
    '10-03T15:45',
    '10-03T16:00',
  ]);
  // At midnight.
  t.strictSame(slots('30 0 * * *', 'Africa/Cairo', '2026-04-22T23:00:00Z', 2), ['04-23T22:00', '04-24T21:30']);
  t.end();
});

t.test('fires repeated times once, at the first, and continues intervals when the clocks go back', (t) => {
  // 02:00 to 03:00 local comes twice.
  t.strictSame(slots('30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00:00Z', 3), [
    '10-24T00:30',
    '10-25T00:30',
    '10-26T01:30',
  ]);
  t.strictSame(slots('0,30 2 * * *', 'Europe/Berlin', '2026-10-24T22:00:00Z', 4), [
    '10-25T00:00',
    '10-25T00:30',
    '10-26T01:00',
    '10-26T01:30',
  ]);
  t.strictSame(slots('*/30 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 5), [
    '10-25T00:00',
    '10-25T00:30',
    '10-25T01:00',
    '10-25T01:30',
    '10-25T02:00',
  ]);
  t.strictSame(slots('30 1 * * *', 'America/New_York', '2026-10-31T00:00:00Z', 3), [
    '10-31T05:30',
    '11-01T05:30',
    '11-02T06:30',
  ]);
  t.strictSame(slots('0 * * * *', 'America/New_York', '2026-11-01T04:30:00Z', 4), [
    '11-01T05:00',
    '11-01T06:00',
    '11-01T07:00',
    '11-01T08:00',
  ]);
  // Half an hour: 01:30 to 02:00 local.
  t.strictSame(slots('45 1 * * *', 'Australia/Lord_Howe', '2026-04-03T00:00:00Z', 3), [
    '04-03T14:45',
    '04-04T14:45',
    '04-05T15:15',
  ]);
  t.strictSame(slots('*/15 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:15:00Z', 6), [
    '04-04T14:30',
    '04-04T14:45',
    '04-04T15:00',
    '04-04T15:15',
    '04-04T15:30',
    '04-04T15:45',
  ]);
  t.end();
});

t.test('handles a day that a time zone skips', (t) => {
  // Samoa had no 30 December 2011.
  const read = parseSchedule('0 12 30 12 *', 'Pacific/Apia');
  let ms = Date.parse('2011-01-01T00:00:00Z');
  for (let n = 0; n < 4; n += 1) {
    const next = read.nextAfter(ms);
    t.ok(next !== null && next > ms);
    ms = next!;
  }
  t.end();
});

t.test('finds the last slot up to a time', (t) => {
  const daily = parseSchedule('0 9 * * *', 'Europe/Berlin');
  const upTo = (at: string): string => new Date(daily.lastUpTo(Date.parse(at))!).toISOString();
  t.equal(upTo('2026-07-02T06:59:59.999Z'), '2026-07-01T07:00:00.000Z');
  t.equal(upTo('2026-07-02T07:00:00.000Z'), '2026-07-02T07:00:00.000Z');
  t.equal(upTo('2026-07-02T07:00:00.001Z'), '2026-07-02T07:00:00.000Z');
  t.end();
});
