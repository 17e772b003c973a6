import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ts } from '@ts-morph/common';
import t from 'tap';
import { ERRORS } from '../src/base/errors.js';
import { ROOT } from './helpers/server.js';

/** Floors (docs/ARCHITECTURE.md): a file may import from its own floor and from those below. */
const FLOORS: [folder: string, floor: number][] = [
  ['src/main.ts', 9],
  ['src/cli/', 9],
  ['src/server/', 8],
  ['src/config/', 7],
  ['src/http/', 6],
  ['src/services/', 5],
  ['src/pool/', 4],
  ['src/store/', 3],
  ['src/wire/', 2],
  ['src/domain/', 1],
  ['src/base/', 0],
  ['schemas/', 0],
];

/** Which packages only one place may know. */
const OWNERS: [pattern: RegExp, owners: string[]][] = [
  [/^uWebSockets\.js$/, ['src/http/transport/uws.ts']],
  [/^ws$/, ['src/http/transport/node/', 'src/http/forward/', 'test/', 'bench/']],
  [/^piscina$/, ['src/pool/worker-pool.ts']],
  [/^lmdb$/, ['src/store/']],
  [/^pg$/, ['src/store/cluster/postgres/', 'test/', 'bench/']],
  [/^@ts-morph\/common$/, ['workers/types/compiler.ts']],
  [/^@langchain\/(langgraph|core)/, ['workers/graph/', 'workers/user-code/', 'test/', 'bench/']],
  [/^@pydantic\/genai-prices$/, ['src/wire/model-prices.ts']],
  [/^@bufbuild\/protobuf/, ['workers/evaluation/otlp/', 'src/wire/evaluation/otlp-response.ts', 'test/']],
  [/^prom-client$/, ['src/http/monitoring/metrics.ts']],
  [/^@opentelemetry\//, ['src/server/tracing.ts', 'src/server/step-queue.ts']],
  [/^esbuild$/, ['src/pool/graphs/bundle.ts', 'workers/ui/build.ts', 'schemas/build.ts']],
  [/^(commander|cli-progress|ms|string-width|undici)$/, ['src/cli/']],
  [/^eventsource-parser(\/|$)/, ['src/cli/']],
  [/^fastest-levenshtein$/, ['src/base/nearest-word.ts']],
  [/^croner$/, ['src/services/crons/cron-schedule.ts']],
  [/^csv-/, ['src/cli/upload/upload-csv.ts', 'workers/evaluation/csv.ts', 'workers/evaluation/read-file.ts', 'test/']],
  [/^@remix-run\/multipart-parser$/, ['workers/evaluation/']],
  [/^ajv-formats/, ['src/domain/formats.ts', 'schemas/build.ts']],
  [/^ipaddr\.js$/, ['src/base/addresses.ts']],
  [/^openid-client$/, ['workers/sign-in/serve.ts']],
  // Nothing else calls out (P12).
  [
    /^node:(https?|tls)$/,
    [
      'workers/webhook/send.ts',
      'workers/graph/recording/observe-http.ts',
      'src/wire/user-code/server-fetch.ts',
      'src/http/transport/node/',
      'src/http/forward/',
    ],
  ],
  [/^@mswjs\/interceptors(\/|$)/, ['workers/graph/replay/replace-outside.ts']],
];

/**
 * What workers stand on: user code has no way to the store; the evaluation, search and webhook
 * threads read it.
 */
const WORKER_MAY_IMPORT: Record<string, RegExp> = {
  'workers/graph/': /^(workers\/graph|src\/wire|src\/base|src\/domain)\//,
  'workers/app/': /^(workers\/app\/|src\/(wire|base|domain)\/)/,
  'workers/ui/': /^(workers\/ui\/|src\/(wire|base|domain)\/)/,
  // The desk has the graphs as graph workers have them, and nothing of how they are run.
  'workers/user-code/':
    /^(workers\/user-code\/|workers\/graph\/(graph-host|library|library-config)\.|src\/(wire|base|domain)\/)/,
  // Reads the user's sources and runs none of them.
  'workers/types/': /^(workers\/types|src\/wire|src\/base|src\/domain)\//,
  'workers/auth/': /^(workers\/auth|src\/wire|src\/base|src\/domain)\//,
  'workers/evaluation/': /^(workers\/evaluation|src\/wire|src\/base|src\/domain|src\/store|schemas)\//,
  'workers/sign-in/': /^(workers\/sign-in|src\/wire|src\/base|src\/domain)\//,
  'workers/vector-search/': /^(workers\/vector-search|src\/wire|src\/base|src\/domain|src\/store)\//,
  'workers/snapshot/': /^(workers\/snapshot|src\/wire|src\/base|src\/domain|src\/store)\//,
  'workers/scrub/': /^(workers\/scrub|src\/wire|src\/base|src\/domain|src\/store)\//,
  'workers/webhook/': /^(workers\/webhook|src\/wire|src\/base|src\/domain|src\/store)\//,
};
/** Of the store, what writes: only the front may. */
const WRITERS = /^src\/store\/(store|stores|remover|files\/folder-lock|access\/api-keys|access\/key-files)\.ts$/;

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /\.tsx?$/.test(entry.name) &&
        !entry.name.endsWith('.d.ts') &&
        !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

function importsOf(file: string): { spec: string; file: string | null }[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, spec]) => ({
    spec: spec!,
    file: spec!.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), spec!)).replace(/\.js$/, '.ts') : null,
  }));
}

const floorOf = (file: string): number | undefined => FLOORS.find(([folder]) => file.startsWith(folder))?.[1];

const ours = [...sources('src'), ...sources('workers')];

t.test('imports only from the same or a lower layer', (t) => {
  for (const file of ours.filter((one) => one.startsWith('src/'))) {
    const floor = floorOf(file);
    t.not(floor, undefined, `${file} is on a floor`);
    for (const imported of importsOf(file)) {
      if (imported.file === null) continue;
      const below = floorOf(imported.file);
      t.ok(
        below !== undefined && below <= floor!,
        `${file} (floor ${floor}) imports ${imported.file} (floor ${below})`,
      );
    }
  }
  t.end();
});

t.test('keeps workers to their imports, and away from writing the store', (t) => {
  for (const file of ours.filter((one) => one.startsWith('workers/'))) {
    const [, allowed] = Object.entries(WORKER_MAY_IMPORT).find(([folder]) => file.startsWith(folder))!;
    for (const imported of importsOf(file)) {
      if (imported.file === null) continue;
      t.match(imported.file, allowed, `${file} imports ${imported.file}`);
      t.notMatch(imported.file, WRITERS, `${file} imports ${imported.file}`);
    }
  }
  t.end();
});

/** Layers of the console. They are separate, because the console shares no code with the server. */
const CONSOLE_FLOORS: [folder: string, floor: number][] = [
  ['console/src/main.tsx', 6],
  ['console/src/report/', 6],
  ['console/src/app/', 5],
  ['console/src/pages/', 4],
  ['console/src/shared/', 3],
  ['console/src/graph/', 2],
  ['console/src/schema/', 2],
  ['console/src/markdown/', 2],
  ['console/src/components/', 1],
  ['console/src/api/', 0],
];
/** Known in one place, so that it is loaded when it is needed. */
const CONSOLE_OWNERS: [pattern: RegExp, owner: string][] = [
  [/^uplot/, 'console/src/components/'],
  [/^(@xyflow|@dagrejs)\//, 'console/src/graph/'],
  [/^diff$/, 'console/src/components/'],
  [/^(markdown-it|lowlight|highlight\.js)(\/|$)/, 'console/src/markdown/'],
  [/^croner$/, 'console/src/pages/crons/'],
];

t.test('console files import only from lower layers, and pages import no other page folder', (t) => {
  const floor = (file: string): number | undefined => CONSOLE_FLOORS.find(([folder]) => file.startsWith(folder))?.[1];
  for (const file of sources('console/src')) {
    for (const imported of importsOf(file)) {
      for (const [pattern, owner] of CONSOLE_OWNERS)
        if (pattern.test(imported.spec)) t.ok(file.startsWith(owner), `${file} imports ${imported.spec}`);
      if (imported.file === null) continue;
      const below = floor(imported.file);
      t.ok(below !== undefined && below <= floor(file)!, `${file} imports ${imported.file}`);
      const page = /^console\/src\/pages\/[^/]+\//.exec(file)?.[0];
      if (page !== undefined && imported.file.startsWith('console/src/pages/'))
        t.ok(imported.file.startsWith(page), `${file} imports ${imported.file}`);
    }
  }
  t.end();
});

t.test('has no import cycle, of types included', (t) => {
  const state = new Map<string, 'open' | 'done'>();
  const visit = (file: string, path: string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      t.fail(`cycle: ${[...path.slice(path.indexOf(file)), file].join(' > ')}`);
      return;
    }
    state.set(file, 'open');
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const [, spec] of text.matchAll(IMPORT)) {
      if (!spec!.startsWith('.')) continue;
      const next = relative(ROOT, resolve(ROOT, dirname(file), spec!)).replace(/\.js$/, '.ts');
      if (ours.includes(next)) visit(next, [...path, file]);
    }
    state.set(file, 'done');
  };
  for (const file of ours) visit(file, []);
  t.pass('every file was visited');
  t.end();
});

t.test('imports each restricted library in one place only', (t) => {
  for (const file of ours) {
    for (const { spec } of importsOf(file)) {
      for (const [pattern, owners] of OWNERS) {
        if (pattern.test(spec))
          t.ok(
            owners.some((owner) => file.startsWith(owner)),
            `${file} imports ${spec}`,
          );
      }
    }
  }
  t.end();
});

t.test('imports no tests, benches or examples', (t) => {
  for (const file of ours) {
    for (const imported of importsOf(file)) t.notMatch(imported.file ?? '', /^(test|bench|examples)\//, file);
  }
  t.end();
});

t.test('has no unused file', (t) => {
  const entries = new Set([
    'src/main.ts',
    'workers/graph/run-graph.ts',
    'workers/evaluation/serve.ts',
    'workers/auth/serve.ts',
    'workers/webhook/serve.ts',
    'workers/scrub/walk.ts',
    'workers/sign-in/serve.ts',
    'workers/snapshot/store-snapshot.ts',
    'workers/vector-search/serve.ts',
    'workers/user-code/serve.ts',
    'workers/app/serve.ts',
    'workers/ui/build.ts',
    'workers/types/serve.ts',
    'workers/graph/walk-graph.ts',
  ]);
  const used = new Set(ours.flatMap((file) => importsOf(file).map((imported) => imported.file)));
  for (const file of ours) t.ok(entries.has(file) || used.has(file), file);
  t.end();
});

/** Positional parameters of a function. A longer list becomes an object with named members. */
const PARAMETERS_MAX = 4;

/** Calls `found` with each function, method, constructor and accessor that has a body. */
function forEachFunction(node: ts.Node, found: (node: ts.FunctionLikeDeclaration, parent: ts.Node) => void): void {
  ts.forEachChild(node, (child) => {
    if (ts.isFunctionLike(child) && 'body' in child && child.body !== undefined)
      found(child as ts.FunctionLikeDeclaration, node);
    forEachFunction(child, found);
  });
}

function functionName(node: ts.FunctionLikeDeclaration, parent: ts.Node, source: ts.SourceFile): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const name = node.name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : null);
  return name === null ? 'a function without a name' : name.getText(source);
}

t.test('has no function with more than four parameters', (t) => {
  const options = { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
  for (const file of ours) {
    const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), options);
    forEachFunction(source, (node, parent) => {
      if (node.parameters.length <= PARAMETERS_MAX) return;
      // The type of `this` is no parameter of callers.
      const count = node.parameters.filter(({ name }) => name.getText(source) !== 'this').length;
      if (count <= PARAMETERS_MAX) return;
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const name = functionName(node, parent, source);
      t.fail(`${file}:${line + 1}: ${name} has ${count} parameters, at most ${PARAMETERS_MAX} are allowed`);
    });
  }
  t.pass('every file was parsed');
  t.end();
});

t.test('documents every error code and no other', (t) => {
  const documented = [...readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
    ([, code]) => code!,
  );
  t.strictSame(documented.toSorted(), Object.keys(ERRORS).toSorted());
  t.end();
});

t.test('uses every error code', (t) => {
  const text = ours.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  for (const code of Object.keys(ERRORS)) t.ok(text.includes(`fail('${code}'`), code);
  t.end();
});

/** Unfinished work, and tests that are left out. */
const OPEN = /\b(TODO|FIXME|XXX)\b/;
const LEFT_OUT = /\.(only|skip|todo)\(/;

t.test('has no open to-do comment', (t) => {
  for (const file of [...ours, ...sources('test'), ...sources('bench')]) {
    if (file === 'test/tidy.test.ts') continue;
    // tap would format the whole text for each file.
    const text = readFileSync(join(ROOT, file), 'utf8');
    if (OPEN.test(text) || (!ours.includes(file) && LEFT_OUT.test(text))) t.fail(file);
  }
  t.pass('every file was read');
  t.end();
});

/** Names that the project has given up, so that one idea keeps one name. */
const RETIRED_NAMES =
  /\b(nouns?|Nouns|farewell|goesOn|RunLife|Outflow|DeskPool|GatePool|AskPool|useDoing|usePaused|strangerBodyBytesMax)\b/;

t.test('comments are at most 120 columns wide, and retired names do not come back', (t) => {
  const files = [...ours, ...['test', 'bench', 'packaging', 'console/src'].flatMap(sources)];
  for (const file of files.filter((one) => one !== 'test/tidy.test.ts')) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const retired = RETIRED_NAMES.exec(text);
    if (retired !== null) t.fail(`${file} has the retired name ${retired[0]}`);
    // The formatter breaks code and leaves comments alone.
    for (const [at, line] of text.split('\n').entries())
      if (line.length > 120 && /^\s*(\/\/|\/?\*)/.test(line))
        t.fail(`${file}:${at + 1} is ${line.length} columns wide`);
  }
  t.end();
});
