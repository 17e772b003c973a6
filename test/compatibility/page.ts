import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import { Client as OlderClient } from 'langgraph-sdk-1.9';
import { ROOT } from '../helpers/server.js';
import { EVALUATION_LEFT_OUT, LEFT_OUT, STAYS_IN_CLIENT } from './left-out.js';
import { methodsOf, optionsOf } from './methods.js';
import { CATALOGUE, SECTIONS, TRAPS } from './rows.js';
import { scanSuites, type Call, type Subtest, type Suites } from './scan.js';

export const PAGE = 'docs/compatibility.md';

const TAGS = /\[trap (\d+)\] /g;
const plain = ({ name }: Subtest): string => name.replace(TAGS, '');
/** Without `test/` and `.test.ts`. */
const short = (file: string): string => file.replace(/^test\//, '').replace(/\.test\.ts$/, '');

function pythonVersion(name: string): string {
  const lines = readFileSync(join(ROOT, 'test', 'python', 'requirements.txt'), 'utf8').split('\n');
  return lines.find((line) => line.startsWith(`${name}==`))!.split('==')[1]!;
}

/** The tests that a row names, as `folder/file: name; name`. Throws if a test is missing or its name is not unique. */
export function testsOf({ tests }: Suites, reference: string): Subtest[] {
  const at = reference.indexOf(': ');
  const file = `test/${reference.slice(0, at)}.test.ts`;
  const ofFile = tests.filter((one) => one.file === file);
  const named = (name: string): Subtest[] =>
    ofFile.filter((one) => plain(one) === name || plain(one).endsWith(` > ${name}`));
  const parts = reference.slice(at + 2).split('; ');
  const found: Subtest[] = [];
  for (let from = 0; from < parts.length;) {
    // A name may have a semicolon itself.
    let to = parts.length;
    while (to > from && named(parts.slice(from, to).join('; ')).length === 0) to -= 1;
    if (to === from)
      throw new Error(
        `${file} has no test "${parts.slice(from).join('; ')}". Name another in test/compatibility, or take the row away.`,
      );
    const [one, ...others] = named(parts.slice(from, to).join('; '));
    if (others.length > 0) throw new Error(`${file} has several tests "${plain(one!)}".`);
    found.push(one!);
    from = to;
  }
  return found;
}

export interface Method {
  name: string;
  options: string[];
  /** Tests that call it, with the current and with the older release of the client. */
  current: Subtest[];
  older: Subtest[];
  /** Options that no test sends and no row of LEFT_OUT contains. */
  untried: string[];
}

/** Every method of the stock client and the tests that call it. The older release has the same methods. */
export function clientMethods({ calls, older }: Suites): { current: Method[]; older: string[] } {
  const client = new Client({ apiUrl: 'http://127.0.0.1' });
  const options = optionsOf('@langchain/langgraph-sdk');
  const leftOut = new Set([...STAYS_IN_CLIENT, ...LEFT_OUT.flatMap((row) => row.options ?? [])]);
  const current = methodsOf(client).map((name): Method => {
    const ofMethod = calls.filter((call) => call.method === name);
    const current = ofMethod.filter((call) => !older.has(call.file));
    const given = new Set(current.flatMap((call) => call.options));
    const offered = isLeftOut(name) ? [] : (options.get(name) ?? []).filter((option) => mentions(client, name, option));
    return {
      name,
      options: offered,
      current: testsAround(current, name),
      older: testsAround(
        ofMethod.filter((call) => older.has(call.file)),
        name,
      ),
      untried: offered.filter((option) => !given.has(option) && !leftOut.has(option)),
    };
  });
  return { current, older: methodsOf(new OlderClient({ apiUrl: 'http://127.0.0.1' })) };
}

export const isLeftOut = (method: string): boolean => LEFT_OUT.some(({ methods }) => methods?.includes(method));

/** The types of some methods declare options that the method itself never reads. */
function mentions(client: Client, method: string, option: string): boolean {
  const [part, name] = method.split('.') as [keyof Client, string];
  return new RegExp(`\\.${option}\\b`).test(String((client[part] as unknown as Record<string, unknown>)[name]));
}

/** Tests in which these calls succeed: first the suite of this part, then tests with more options or more calls. */
function testsAround(calls: Call[], method: string): Subtest[] {
  const tests = new Map<Subtest, Call[]>();
  for (const call of calls)
    if (call.test !== null && !call.refused) tests.set(call.test, [...(tests.get(call.test) ?? []), call]);
  const rank = ({ file }: Subtest): number =>
    file.includes(`/sdk-${method.split('.')[0]!}`) ? 0 : file.includes('/contracts/') ? 1 : 2;
  const weight = (test: Subtest): number => tests.get(test)!.reduce((sum, { options }) => sum + 1 + options.length, 0);
  return [...tests.keys()].toSorted(
    (a, b) => rank(a) - rank(b) || weight(b) - weight(a) || a.file.localeCompare(b.file),
  );
}

/** The tests of each trap, by the number of the trap. */
export function trapTests({ tests }: Suites): Map<number, Subtest[]> {
  const found = new Map(TRAPS.map((_, at): [number, Subtest[]] => [at + 1, []]));
  for (const test of tests) {
    const own = test.name.slice(test.name.lastIndexOf(' > ') + 1);
    for (const [, number] of own.matchAll(TAGS)) {
      const ofTrap = found.get(Number(number));
      if (ofTrap === undefined) throw new Error(`${test.file}: there is no trap ${number}.`);
      ofTrap.push(test);
    }
  }
  return found;
}

/** Escapes text for a table cell, except inline code. */
function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');
}

/** Groups tests by file, with one link per file. */
function shown(tests: readonly Subtest[]): string {
  const files = new Map<string, string[]>();
  for (const test of tests) files.set(test.file, [...(files.get(test.file) ?? []), plain(test)]);
  return [...files]
    .map(([file, names]) => `[${short(file)}](../${file}): ${names.map((name) => `“${cell(name)}”`).join(', ')}`)
    .join('; ');
}

function table(head: string[], rows: string[][]): string {
  return [
    `| ${head.join(' | ')} |`,
    `|${' --- |'.repeat(head.length)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

/** Number of tests named per method. Hundreds of tests call some methods. */
const SHOWN = 3;

export function renderPage(suites = scanSuites()): string {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const { current } = clientMethods(suites);
  const proved = (references: readonly string[]): string =>
    shown(references.flatMap((reference) => testsOf(suites, reference)));
  const traps = trapTests(suites);
  return `# Compatibility

After this page you know which clients, routes, fields and errors of the Agent Server work with Threadmill, what is different, and which test proves each line.

The page is generated by \`npm run compatibility\` from the tests. If a test is missing, \`make check\` fails.

[Clients](#clients), [methods of the client](#methods-of-the-client), [differences from the Agent Server](#differences-from-the-agent-server) and [from the evaluation API](#differences-from-the-evaluation-api), [errors](#errors), [known traps](#known-traps), and the supported features: ${SECTIONS.map(
    ({ title }) =>
      `[${title.toLowerCase()}](#${title
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-')})`,
  ).join(', ')}.

## Clients

${table(
  ['Client', 'Version', 'Suites'],
  [
    ['`@langchain/langgraph-sdk`', dependencies!['@langchain/langgraph-sdk']!, 'test/contracts, unmodified'],
    [
      'the same, older release',
      devDependencies!['langgraph-sdk-1.9']!.split('@').at(-1)!,
      [...suites.older].map((file) => `[${short(file)}](../${file})`).join(', '),
    ],
    [
      '`RemoteGraph` of `@langchain/langgraph`',
      dependencies!['@langchain/langgraph']!,
      '[contracts/remote-graph](../test/contracts/remote-graph.test.ts)',
    ],
    [
      '`@modelcontextprotocol/sdk`',
      devDependencies!['@modelcontextprotocol/sdk']!,
      '[contracts/mcp](../test/contracts/mcp.test.ts)',
    ],
    ['`@a2a-js/sdk`', devDependencies!['@a2a-js/sdk']!, '[contracts/a2a-client](../test/contracts/a2a-client.test.ts)'],
    [
      '`langsmith`',
      devDependencies!['langsmith']!,
      '[contracts/langsmith-evaluate](../test/contracts/langsmith-evaluate.test.ts) and the other files `langsmith-*`',
    ],
    [
      'the same, older releases',
      ['langsmith-0.3', 'langsmith-0.7'].map((name) => devDependencies![name]!.split('@').at(-1)!).join(', '),
      '[contracts/langsmith-older](../test/contracts/langsmith-older.test.ts)',
    ],
    [
      'Python `langgraph-sdk`',
      pythonVersion('langgraph-sdk'),
      '[python/langgraph-sdk](../test/python/langgraph-sdk.test.ts); its requests: [contracts/python-shapes](../test/contracts/python-shapes.test.ts)',
    ],
    [
      'Python `langsmith`',
      pythonVersion('langsmith'),
      '[python/langsmith](../test/python/langsmith.test.ts); its requests: [contracts/langsmith-python-shapes](../test/contracts/langsmith-python-shapes.test.ts)',
    ],
  ],
)}

## Methods of the client

The table lists all methods of the client object and the options that it sends. If a new version has a method or option that no test uses, a test fails. At most ${SHOWN} tests are named per method.

${table(
  ['Method', 'Options', 'Tests', 'Test with the older release'],
  current.map(({ name, options, current: tests, older }) => [
    `\`${name}\``,
    isLeftOut(name)
      ? '[left out](#differences-from-the-agent-server)'
      : options
          .filter((option) => !STAYS_IN_CLIENT.includes(option))
          .map((option) => `\`${option}\``)
          .join(', '),
    isLeftOut(name) ? '' : shown(tests.slice(0, SHOWN)),
    isLeftOut(name) ? '' : shown(older.slice(0, 1)),
  ]),
)}

## Differences from the Agent Server

${table(
  ['Feature', 'Behavior here', 'Reason', 'Test'],
  LEFT_OUT.map(({ what, instead, why, tests }) => [cell(what), instead, why, proved(tests)]),
)}

## Differences from the evaluation API

The clients \`langsmith\` send requests for more than this server has. These get 404. A test calls every method of the JavaScript client, and fails if another one gets 404 ([contracts/langsmith-methods](../test/contracts/langsmith-methods.test.ts)). Python's methods have the same names in snake case.

${table(
  ['Missing', 'Methods', 'Reason'],
  EVALUATION_LEFT_OUT.map(({ what, methods = [], clientMethods = [], why }) => [
    what,
    [...methods, ...clientMethods].map((one) => `\`${one}\``).join(', '),
    why,
  ]),
)}

[Evaluation results](evaluation.md) names smaller differences where they belong.

## Errors

The body is \`{"detail": "text"}\`. [Errors](errors.md) lists all errors.

${table(
  ['Request', 'Status', 'Text', 'Test', 'Difference, and reason'],
  CATALOGUE.map(({ where, status, says, test, differs }) => [where, status, cell(says), proved([test]), differs ?? '']),
)}

## Known traps

Behavior that other servers have implemented incorrectly. The names of the tests contain the numbers.

${table(
  ['', 'Trap', 'Tests'],
  TRAPS.map((trap, at) => {
    const tests = traps.get(at + 1)!;
    return [String(at + 1), trap, tests.length > 0 ? shown(tests) : '[left out](#differences-from-the-agent-server)'];
  }),
)}
${SECTIONS.map(
  ({ title, rows }) => `
## ${title}

${table(
  ['Feature', 'Details', 'Tests'],
  rows.map(({ what, about, tests }) => [what, about ?? '', proved(tests)]),
)}
`,
).join('')}`;
}
