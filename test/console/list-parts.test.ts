import t from 'tap';
import { parseSchedule } from '../../src/services/crons/cron-schedule.js';
import { consoleModule } from '../helpers/console-module.js';

/** Pure parts of lists and forms. */

t.test('the difference of the clocks is what a Date header proves, and never more', async (t) => {
  const { clockDifference } = await consoleModule<{
    clockDifference: (serverMs: number, sentMs: number, receivedMs: number) => number;
  }>('api/server-clock.ts');
  t.equal(clockDifference(10_000, 10_100, 10_400), 0, 'the seconds of the header explain it');
  t.equal(clockDifference(10_000, 11_900, 12_100), 0, 'the header can be two seconds old');
  t.equal(clockDifference(70_000, 10_000, 10_500), 59_500, 'the server is ahead');
  t.equal(clockDifference(10_000, 72_500, 73_000), -60_500, 'the server is behind');
});

t.test('a range of rows has both ends, in both directions', async (t) => {
  const { idsBetween } = await consoleModule<{
    idsBetween: (ids: string[], from: string | null, to: string) => string[];
  }>('components/row-boxes.ts');
  const ids = ['a', 'b', 'c', 'd'];
  t.same(idsBetween(ids, 'b', 'd'), ['b', 'c', 'd']);
  t.same(idsBetween(ids, 'd', 'b'), ['b', 'c', 'd']);
  t.same(idsBetween(ids, 'c', 'c'), ['c']);
  t.same(idsBetween(ids, 'gone', 'c'), ['c']);
  t.same(idsBetween(ids, null, 'c'), ['c']);
});

t.test('what the browser has stored cannot break a list', async (t) => {
  const { parseSavedFilters, filterQuery, withSaved } = await consoleModule<{
    parseSavedFilters: (stored: unknown) => { name: string; query: string }[];
    filterQuery: (params: URLSearchParams, names: string[]) => string;
    withSaved: (saved: object[], added: object) => object[];
  }>('shared/saved-filters.ts');
  for (const stored of [undefined, null, 'x', { name: 'x' }, [null, 1, { name: 'x' }, { name: 1, query: 'a' }]])
    t.same(parseSavedFilters(stored), []);
  t.same(parseSavedFilters([{ name: 'n'.repeat(99), query: 'status=busy', more: 1 }]), [
    { name: 'n'.repeat(40), query: 'status=busy' },
  ]);
  t.equal(parseSavedFilters(Array.from({ length: 99 }, (_, at) => ({ name: `${at}`, query: 'a=1' }))).length, 20);
  const names = ['text', 'status'];
  t.equal(filterQuery(new URLSearchParams('status=busy&text=a%26b&page=3&owner='), names), 'text=a%26b&status=busy');
  t.equal(filterQuery(new URLSearchParams('text='), names), '');
  t.same(withSaved([{ name: 'a', query: '1' }], { name: 'a', query: '2' }), [{ name: 'a', query: '2' }]);

  const { parseColumnChoice, metadataText } = await consoleModule<{
    parseColumnChoice: (stored: unknown, known: string[]) => string[] | null;
    metadataText: (metadata: unknown, key: string) => string | null;
  }>('shared/column-choice.ts');
  t.equal(parseColumnChoice('status', ['status']), null);
  t.same(parseColumnChoice(['status', 'status', 'unknown', 7, 'metadata:team'], ['status']), [
    'status',
    'metadata:team',
  ]);
  const metadata = { team: 'a', tier: 2, none: null, list: [1] };
  t.same(
    ['team', 'tier', 'none', 'list', 'toString'].map((key) => metadataText(metadata, key)),
    ['a', '2', null, '[1]', null],
  );
});

t.test('a thread has one status, also if it waits for input', async (t) => {
  const { threadStatus, newestRunStatus } = await consoleModule<{
    threadStatus: (thread: object) => string;
    newestRunStatus: (status: string, thread: object) => string;
  }>('shared/thread-title.ts');
  const thread = (status: string, interrupts: unknown): object => ({ status, extracted: { interrupts } });
  t.equal(threadStatus(thread('interrupted', { task: [{}] })), 'waiting');
  t.equal(threadStatus(thread('interrupted', null)), 'waiting', 'too many interrupts to be listed');
  t.equal(threadStatus(thread('interrupted', {})), 'interrupted', 'a cancelled run');
  t.equal(threadStatus(thread('busy', { task: [{}] })), 'busy');
  t.equal(newestRunStatus('success', thread('interrupted', { task: [{}] })), 'waiting');
  t.equal(newestRunStatus('success', thread('idle', {})), 'success');
  t.equal(newestRunStatus('error', thread('interrupted', { task: [{}] })), 'error');
});

t.test('a preset and its expression say the same', async (t) => {
  interface Preset {
    kind: string;
    minute: number;
    hour: number;
    weekday: number;
    date: number;
  }
  const { presetOf, scheduleOf } = await consoleModule<{
    presetOf: (schedule: string) => Preset | null;
    scheduleOf: (preset: Preset) => string;
  }>('pages/crons/schedule-preset.ts');
  for (const [schedule, kind] of [
    ['5 * * * *', 'hourly'],
    ['0 0 * * *', 'daily'],
    ['30 9 * * 1-5', 'weekdays'],
    ['30 9 * * 0', 'weekly'],
    ['59 23 28 * *', 'monthly'],
  ] as const) {
    const preset = presetOf(schedule)!;
    t.equal(preset.kind, kind);
    t.equal(scheduleOf(preset), schedule);
  }
  t.match(presetOf(' @WEEKLY '), { kind: 'weekly', weekday: 0 });
  t.match(presetOf('0  9 * * MON-FRI'), { kind: 'weekdays' });
  t.match(presetOf('0 9 * * 7'), { kind: 'weekly', weekday: 0 });
  for (const own of ['', '60 * * * *', '0 24 * * *', '0 9 29 * *', '0 9 0 * *', '0 9 1 * 1', '* * * * *', '0 * 1 * *'])
    t.equal(presetOf(own), null, own);
});

t.test('the next times are those of the server, also when clocks change', async (t) => {
  const { nextTimes, timeInWords } = await consoleModule<{
    nextTimes: (
      cron: { schedule: string; timezone: string },
      fromMs: number,
      count: number,
    ) => { times: number[] | null; problem: string | null };
    timeInWords: (ms: number, timezone: string, nowMs: number) => string;
  }>('pages/crons/next-times.ts');
  const from = Date.UTC(2026, 9, 24, 12);
  for (const schedule of [
    '30 2 * * *',
    '*/15 * * * *',
    '0 8 * * 5L',
    '0 8 * * fri#L',
    '0 0 LW * *',
    '@monthly',
    '0 8 13 * +5',
  ])
    for (const timezone of ['', 'Europe/Berlin', 'America/Santiago']) {
      const server = parseSchedule(schedule, timezone || null);
      const wanted: number[] = [];
      for (let at = from; wanted.length < 5; at = wanted.at(-1)!) wanted.push(server.nextAfter(at)!);
      t.same(nextTimes({ schedule, timezone }, from, 5), { times: wanted, problem: null }, `${schedule} ${timezone}`);
    }
  t.match(nextTimes({ schedule: '0 0 30 2 *', timezone: '' }, from, 5), { times: null, problem: 'Matches no time.' });
  t.match(nextTimes({ schedule: '61 * * * *', timezone: '' }, from, 5), { times: null, problem: /minute: 61/ });
  t.match(nextTimes({ schedule: '1 2 3 4 5 6', timezone: '' }, from, 5), { times: null, problem: /^Five fields/ });
  t.equal(timeInWords(from, 'Europe/Berlin', from), 'Saturday 24 October at 14:00');
  const before = Date.parse('2025-12-31T23:30:00Z');
  t.equal(timeInWords(from, '', before), 'Saturday 24 October 2026 at 12:00', 'with the year if it is another one');
  t.equal(timeInWords(before, 'Europe/Berlin', from), 'Thursday 1 January at 00:30', 'the year of the zone');
});

t.test('infers the fields of a form from objects', async (t) => {
  const { inferObjectSchema } = await consoleModule<{
    inferObjectSchema: (objects: object[]) => { properties: object };
  }>('schema/infer.ts');
  t.match(inferObjectSchema([]), { type: 'object', properties: {}, additionalProperties: { anyOf: [] } });
  t.matchStrict(
    inferObjectSchema([
      { name: 'a', score: 1, tags: ['x'], more: { deep: true }, mixed: 1, maybe: null, list: [], same: null },
      { name: 'b\nc', mixed: 'x', maybe: 'y', extra: false, same: null },
    ]).properties,
    {
      name: { type: 'string', format: 'textarea' },
      score: { type: 'number' },
      tags: { type: 'array', items: { type: 'string' } },
      more: { type: 'object', properties: { deep: { type: 'boolean' } } },
      maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      extra: { type: 'boolean' },
    },
  );
  const { mixed, list, same } = inferObjectSchema([
    { mixed: 1, list: [], same: null },
    { mixed: 'x', list: [], same: null },
  ]).properties as Record<string, object>;
  t.strictSame([mixed, list, same], [{}, {}, {}], 'edited as JSON');
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`n${at}`, at]));
  t.strictSame(inferObjectSchema([many]), {}, 'too many for a form');
});

t.test('finds the fields that an error of the server names', async (t) => {
  Object.assign(globalThis, {
    document: { baseURI: 'http://localhost/console/' },
    sessionStorage: { getItem: () => null },
  });
  t.teardown(() => {
    for (const name of ['document', 'sessionStorage']) delete (globalThis as Record<string, unknown>)[name];
  });
  interface FieldError {
    path: string[];
    message: string;
  }
  const { fieldErrors, errorsIn, errorAt } = await consoleModule<{
    fieldErrors: (error: unknown) => FieldError[];
    errorsIn: (errors: FieldError[], ...path: string[]) => FieldError[];
    errorAt: (errors: FieldError[], ...path: string[]) => string | null;
  }>('api/http.ts');
  t.same(fieldErrors(null), []);
  t.same(fieldErrors(new Error('Thread not found')), []);
  const errors = fieldErrors(
    new Error(
      'HTTP 422: {"detail":"Invalid cron schedule: body.schedule: Invalid value: 61; body.config.tags: must be array"}',
    ),
  );
  t.same(errors, [
    { path: ['schedule'], message: 'Invalid value: 61' },
    { path: ['config', 'tags'], message: 'must be array' },
  ]);
  t.equal(errorAt(errors, 'schedule'), 'Invalid value: 61');
  t.equal(errorAt(errors, 'config'), null);
  t.same(errorsIn(errors, 'config'), [{ path: ['tags'], message: 'must be array' }]);
});
