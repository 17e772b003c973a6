import t from 'tap';
import { consoleModule } from '../helpers/console-module.js';

interface Problem {
  level: string;
  what: string;
  link?: { query?: Record<string, string> };
}
interface Health {
  healthProblems: (facts: object) => Problem[];
  describeHour: (hour: object | null) => string;
}

const QUIET = { storeFailed: false, diskFreeBytes: 50 * 2 ** 30, silentWorkers: 0, hour: null };
const HOUR = {
  runs_started: 40,
  runs_succeeded: 38,
  runs_failed: 2,
  runs_interrupted: 0,
  queue_wait_p95_seconds: 0.2,
  run_duration_p50_seconds: 1.5,
  run_duration_p95_seconds: 4,
  requests: 900,
  requests_failed: 1,
};

t.test('the health of the server', async (t) => {
  const { healthProblems, describeHour } = await consoleModule<Health>('pages/server/health.ts');

  t.test('finds nothing wrong with a server that is idle or works', (t) => {
    t.same(healthProblems(QUIET), []);
    t.same(healthProblems({ ...QUIET, hour: HOUR, firingAlerts: 0, failedDeliveries: 0, lostNodes: [] }), []);
    t.end();
  });

  t.test('names each problem in words, the worst first', (t) => {
    for (const [more, level, says] of [
      [{ storeFailed: true }, 'bad', /takes no more changes/],
      [{ diskFreeBytes: 900 * 2 ** 20 }, 'warn', /nearly full: 900 MiB are free/],
      [{ diskFreeBytes: 100 * 2 ** 20 }, 'bad', /nearly full: 100 MiB are free/],
      [{ silentWorkers: 1 }, 'warn', /^1 worker does not respond/],
      [{ silentWorkers: 2 }, 'warn', /^2 workers do not respond/],
      [{ lostNodes: ['b', 'c'] }, 'warn', /^2 nodes of the cluster are lost: b, c\.$/],
      [{ hour: { ...HOUR, runs_failed: 10, runs_succeeded: 30 } }, 'warn', /^25 % of the runs failed.*: 10 of 40\.$/],
      [{ hour: { ...HOUR, requests_failed: 20 } }, 'bad', /failed at 20 of 900 requests/],
      [{ hour: { ...HOUR, queue_wait_p95_seconds: 12 } }, 'warn', /one of twenty more than 12\.0 s/],
      [{ failedDeliveries: 1 }, 'warn', /^1 webhook could not be delivered/],
      [{ firingAlerts: 3 }, 'warn', /^3 alerts are firing\.$/],
    ] as const) {
      const [only, ...others] = healthProblems({ ...QUIET, ...more });
      t.same(others, []);
      t.equal(only?.level, level);
      t.match(only?.what, says);
    }
    t.same(
      healthProblems({ ...QUIET, firingAlerts: 1, storeFailed: true }).map(({ level }) => level),
      ['bad', 'warn'],
    );
    t.end();
  });

  t.test('does not worry about a few failures', (t) => {
    t.same(healthProblems({ ...QUIET, hour: { ...HOUR, runs_succeeded: 2, runs_failed: 2 } }), []);
    t.same(healthProblems({ ...QUIET, hour: { ...HOUR, requests: 10, requests_failed: 4 } }), []);
    t.end();
  });

  t.test('describes the last hour', (t) => {
    t.equal(describeHour(null), 'Nothing happened in the last hour, up to the last full minute.');
    t.equal(describeHour(HOUR), '40 runs ended in the last hour, 2 failed, and half of them took less than 1.50 s.');
    t.equal(
      describeHour({ ...HOUR, runs_succeeded: 0, runs_failed: 0 }),
      'No run ended in the last hour; the server answered 900 requests.',
    );
    t.end();
  });
});

t.test('the history has zeros where nothing happened, and gaps where nothing is known', async (t) => {
  const { historySeries, byteScale } = await consoleModule<{
    historySeries: (history: object) => {
      times: number[];
      counts: (of: (one: { runs: number }) => number) => number[];
      values: (of: (one: { runs: number }) => number) => (number | null)[];
    };
    byteScale: (values: (number | null)[]) => { unit: string; bytes: number };
  }>('pages/server/history-series.ts');
  const series = historySeries({
    start: '2026-01-31T09:00:00.000000+00:00',
    end: '2026-01-31T09:02:30.000000+00:00',
    step_seconds: 60,
    points: [{ start: '2026-01-31T09:01:00.000000+00:00', runs: 3 }],
  });
  t.same(
    series.times.map((time) => new Date(time * 1_000).toISOString().slice(11, 16)),
    ['09:00', '09:01', '09:02'],
  );
  t.same(
    series.counts(({ runs }) => runs),
    [0, 3, 0],
  );
  t.same(
    series.values(({ runs }) => runs),
    [null, 3, null],
  );
  t.same(byteScale([null, 300 * 2 ** 20]), { unit: 'MiB', bytes: 2 ** 20 });
  t.same(byteScale([]), { unit: 'B', bytes: 1 });
});
