import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { routes } from '../../src/http/routes/index.js';
import { LEFT_OUT } from '../compatibility/left-out.js';
import { clientMethods, isLeftOut, PAGE, renderPage, testsOf, trapTests } from '../compatibility/page.js';
import { SECTIONS } from '../compatibility/rows.js';
import { scanSuites } from '../compatibility/scan.js';
import { ROOT } from '../helpers/server.js';

/**
 * The page says what the tests prove, and nothing of the clients or of the server is missing in it. Slow: it reads all
 * tests.
 */
const suites = scanSuites();
const { current, older } = clientMethods(suites);

t.test('generates the page from the tests', (t) => {
  t.equal(readFileSync(join(ROOT, PAGE), 'utf8'), renderPage(suites), 'run npm run compatibility');
  t.end();
});

t.test('calls every method of both stock clients in a test', (t) => {
  t.ok(current.length > 40, `${current.length} methods`);
  for (const { name, current: tests, older: olderTests } of current) {
    if (isLeftOut(name)) continue;
    t.ok(tests.length > 0, name);
    if (older.includes(name)) t.ok(olderTests.length > 0, `${name} of the older line`);
  }
  t.strictSame(
    older.filter((name) => !current.some((method) => method.name === name)),
    [],
    'the older line has no method of its own',
  );
  t.end();
});

t.test('passes every option of the stock client in a test', (t) => {
  for (const { name, untried } of current) t.strictSame(untried, [], name);
  t.ok(current.flatMap(({ options }) => options).length > 150);
  t.end();
});

t.test('lists each unsupported feature with a known method, option or trap and a test', (t) => {
  for (const { what, tests, methods = [] } of LEFT_OUT) {
    t.ok(tests.flatMap((reference) => testsOf(suites, reference)).length > 0, what);
    for (const method of methods)
      t.ok(
        current.some(({ name }) => name === method),
        method,
      );
  }
  const named = new Set(
    LEFT_OUT.flatMap(({ tests }) =>
      tests.flatMap((reference) => testsOf(suites, reference).map(({ file, name }) => `${file}: ${name}`)),
    ),
  );
  for (const { file, name } of suites.tests.filter((one) => one.file === 'test/contracts/left-out.test.ts'))
    t.ok(named.has(`${file}: ${name}`), `${name} has a row`);
  t.end();
});

t.test('covers every trap with a test or lists it as unsupported', (t) => {
  const leftOut = LEFT_OUT.flatMap(({ traps = [] }) => traps);
  for (const [number, tests] of trapTests(suites))
    t.equal(tests.length > 0, !leftOut.includes(number), `trap ${number}`);
  t.end();
});

t.test('has a row for every route and a route for every row', (t) => {
  const named = SECTIONS.flatMap(({ rows }) =>
    rows.flatMap(({ what }) =>
      [...what.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]*)`/g)].map(([, route]) => route!),
    ),
  );
  const real = routes
    .filter(({ alias, path }) => !alias && !/^\/api\/v\d\//.test(path))
    .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
  t.strictSame(named.toSorted(), real.toSorted());
  t.end();
});
