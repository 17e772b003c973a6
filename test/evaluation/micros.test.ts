import t from 'tap';
import { compactMicros, isoMicros, parseMicros } from '../../src/base/micros.js';

const NOON = Date.UTC(2024, 0, 2, 12, 0, 0) * 1_000;
const DAY_US = 86_400_000_000;

t.test('reads every format of an instant as the same time', (t) => {
  const spellings = [
    '2024-01-02T12:00:00Z',
    '2024-01-02t12:00:00z',
    '2024-01-02 12:00:00',
    '2024-01-02T12:00',
    '2024-01-02T12:00Z',
    '2024-01-02T12:00:00.0',
    '2024-01-02T12:00:00,000000000',
    '2024-01-02T12:00:00.000000+00:00',
    '2024-01-02T12:00:00-00:00',
    '2024-01-02T14:30:00+02:30',
    '2024-01-02T14:30:00+0230',
    '2024-01-02T14:00+02',
    '2024-01-02T07:00:00-05',
    '2024-01-02T02:30-0930',
    '2024-01-03T00:00:00+12:00',
    '2024-01-01T23:00:00-13:00',
  ];
  for (const text of spellings) t.equal(parseMicros(text), NOON, text);
  t.equal(parseMicros('2024-01-02'), NOON - DAY_US / 2, 'a date alone is midnight UTC');
  t.end();
});

t.test('accepts any number of fraction digits and truncates after six', (t) => {
  for (const [fraction, us] of [
    ['.1', 100_000],
    ['.12', 120_000],
    ['.000001', 1],
    ['.0000019', 1],
    ['.999999', 999_999],
    ['.9999999', 999_999],
    [',5', 500_000],
    [`.${'9'.repeat(5_000)}`, 999_999],
  ] as const) {
    for (const offset of ['', 'Z', '+00:00'])
      t.equal(parseMicros(`2024-01-02T12:00:00${fraction}${offset}`), NOON + us, `${fraction.slice(0, 10)}${offset}`);
  }
  t.end();
});

t.test('returns null for invalid times', (t) => {
  const texts = [
    '',
    ' ',
    'now',
    '2024',
    '2024-01',
    '20240102',
    '2024-1-2',
    '2024/01/02',
    '2024-01-02T',
    '2024-01-02 ',
    ' 2024-01-02',
    '2024-01-02Z',
    '2024-01-02T12',
    '2024-01-02T1200',
    '2024-01-02T12:0',
    '2024-01-02T12:00:',
    '2024-01-02T12:00:0',
    '2024-01-02T12:00:00.',
    '2024-01-02T12:00:00.Z',
    '2024-01-02T12:00.5',
    '2024-01-02  12:00',
    '2024-01-02_12:00',
    '2024-01-02T12:00:00 Z',
    '2024-01-02T12:00:00ZZ',
    '2024-01-02T12:00:00Z ',
    '2024-01-02T12:00:00+',
    '2024-01-02T12:00:00+1',
    '2024-01-02T12:00:00+01:',
    '2024-01-02T12:00:00+01:3',
    '2024-01-02T12:00:00+01:300',
    '2024-01-02T12:00:00+24:00',
    '2024-01-02T12:00:00+01:60',
    '2024-01-02T12:00:00+010',
    '2024-01-02T12:00:00 00:00',
    '2024-01-02T12:00:00\u22120100',
    '2024-00-02',
    '2024-13-02',
    '2024-01-00',
    '2024-01-32',
    '2024-04-31',
    '2023-02-29',
    '2100-02-29',
    '2024-02-30',
    '2024-01-02T24:00:00',
    '2024-01-02T12:60:00',
    '2024-01-02T12:00:60',
    '+2024-01-02',
    '-024-01-02',
    '2024-01-02T12:00:00\0',
    '２０２４-01-02',
    '2024-01-0a',
    '2024-01-02T-1:00',
    '1704196800',
    'Tue, 02 Jan 2024 12:00:00 GMT',
  ];
  for (const text of texts) t.equal(parseMicros(text), null, JSON.stringify(text));
  t.end();
});

t.test('accepts instants within the bounds in UTC', (t) => {
  t.equal(parseMicros('1970-01-01'), 0);
  t.equal(parseMicros('1969-12-31T23:59:59.999999Z'), null);
  t.equal(parseMicros('1969-12-31T23:30-00:30'), 0);
  t.equal(parseMicros('1970-01-01T00:30+00:31'), null);
  const last = Date.UTC(2200, 0, 1) * 1_000 - 1;
  t.equal(parseMicros('2199-12-31T23:59:59.999999999Z'), last);
  t.equal(parseMicros('2200-01-01T00:00:00Z'), null);
  t.equal(parseMicros('2200-01-01T00:59:59.999999+01:00'), last);
  t.equal(parseMicros('2199-12-31T23:59:59-00:01'), null);
  for (const year of ['0000', '0024', '0070', '1968', '2201', '9999'])
    t.equal(parseMicros(`${year}-06-01`), null, year);
  t.ok(Number.isSafeInteger(last));
  t.equal(isoMicros(last), '2199-12-31T23:59:59.999999+00:00');
  t.equal(isoMicros(0), '1970-01-01T00:00:00.000000+00:00');
  for (const us of [-1, last + 1, 0.5, NaN, Infinity])
    t.throws(() => isoMicros(us), { name: 'AssertionFailed' }, String(us));
  t.end();
});

t.test('writes six digits in both formats', (t) => {
  const us = parseMicros('2024-01-02T03:04:05.678901Z')!;
  t.equal(isoMicros(us), '2024-01-02T03:04:05.678901+00:00');
  t.equal(compactMicros(us), '20240102T030405678901Z');
  t.equal(compactMicros(us - 678_901 + 7), '20240102T030405000007Z');
  t.end();
});

t.test('accepts exactly the days of the calendar', (t) => {
  let expected = 0;
  let wrong = 0;
  for (let year = 1970; year <= 2199; year += 1) {
    for (let month = 1; month <= 12; month += 1) {
      for (let day = 1; day <= 31; day += 1) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const us = parseMicros(text);
        const real = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
        if (us !== (real ? expected : null)) wrong += 1;
        if (real) expected += DAY_US;
      }
    }
  }
  t.equal(wrong, 0);
  t.equal(expected, Date.UTC(2200, 0, 1) * 1_000);
  t.end();
});

t.test('reads back what it writes, in every time zone', (t) => {
  const wrong: string[] = [];
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let i = 0; i < 20_000; i += 1) {
    const us = DAY_US + random(83_000) * DAY_US + random(86_400) * 1_000_000 + random(1_000_000);
    const iso = isoMicros(us);
    if (parseMicros(iso) !== us) wrong.push(iso);
    const compact = compactMicros(us);
    if (compact !== iso.replace('+00:00', 'Z').replaceAll(/[-:.]/g, '') || compact.length !== 22) wrong.push(compact);
    // The same instant as a clock `east` minutes ahead of UTC shows it.
    const east = random(2 * 24 * 60 - 1) - (24 * 60 - 1);
    const size = Math.abs(east);
    const sign = east < 0 ? '-' : '+';
    const zone = `${sign}${String(Math.floor(size / 60)).padStart(2, '0')}${i % 2 === 0 ? ':' : ''}${String(size % 60).padStart(2, '0')}`;
    const local = `${isoMicros(us + east * 60_000_000).slice(0, 26)}${zone}`;
    if (parseMicros(local) !== us) wrong.push(local);
  }
  t.strictSame(wrong, []);
  t.end();
});
