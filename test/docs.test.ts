import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import t from 'tap';
import { VERSION } from '../src/base/version.js';
import { program } from '../src/cli/program.js';
import { allowedText, IGNORED_VARIABLES, VARIABLES } from '../src/config/env.js';
import { FILE_KEYS, placesOf } from '../src/config/keys.js';
import { readConfig, readProject } from '../src/config/config.js';
import { METRIC_SPECS } from '../src/http/monitoring/metrics.js';
import { routes } from '../src/http/routes/index.js';
import { blocksOf, FENCE, PAGES, read } from './helpers/pages.js';
import { EXAMPLES, ROOT, temporaryFolder, testServer } from './helpers/server.js';

const inline = (text: string): string[] =>
  [...text.replace(FENCE, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);

/** What a page says in code: commands, flags and names that must exist. */
const codeOf = (page: string): string => [...blocksOf(page).map(({ code }) => code), ...inline(read(page))].join('\n');
const found = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name]) => name!)),
];

/** The anchor that GitHub gives a heading. */
const anchorsOf = (text: string): string[] =>
  [...text.replace(FENCE, '').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

t.test('has no broken relative link', (t) => {
  let links = 0;
  for (const page of PAGES) {
    for (const [, target] of read(page)
      .replace(FENCE, '')
      .matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue;
      links += 1;
      const [path, anchor] = target!.split('#') as [string, string | undefined];
      const file = path === '' ? page : join(dirname(page), path);
      t.ok(existsSync(join(ROOT, file)), `${page}: ${target}`);
      if (anchor !== undefined) t.ok(anchorsOf(read(file)).includes(anchor), `${page}: ${target}`);
    }
  }
  t.ok(links > 10, `${links} links`);
  t.end();
});

t.test('names only source files that exist', (t) => {
  for (const page of PAGES) {
    const names = inline(read(page)).filter((code) => /^(src|workers|test|examples|schemas)\/[\w./-]+$/.test(code));
    for (const name of names) t.ok(existsSync(join(ROOT, name)), `${page}: ${name}`);
  }
  t.end();
});

t.test('names only tests that exist in docs/reliability.md', (t) => {
  const page = readFileSync(join(ROOT, 'docs', 'reliability.md'), 'utf8');
  const promises = page
    .split('\n')
    .filter((line) => /^\| (P\d+)? ?\|/.test(line))
    .slice(1);
  t.equal(promises.length, 15, 'all of them');
  for (const line of promises) {
    const tests = [...line.split('|')[3]!.matchAll(/`([\w-]+\/[\w-]+)`/g)].map(([, name]) => name!);
    t.ok(tests.length > 0, line.slice(0, 40));
    for (const name of tests) t.ok(existsSync(join(ROOT, 'test', `${name}.test.ts`)), name);
  }
  t.end();
});

t.test('names files of a release with the current version', (t) => {
  for (const page of PAGES)
    for (const version of found(read(page), /\bthreadmill[-_](\d+\.\d+\.\d+)/g)) t.equal(version, VERSION, page);
  t.end();
});

t.test('names only make targets and npm scripts that exist', (t) => {
  const makefile = read('Makefile');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const targets = new Set<string>();
  for (const page of PAGES) {
    for (const name of found(codeOf(page), /^make ([a-z]+)/gm)) {
      targets.add(name);
      t.match(makefile, new RegExp(`^${name}:`, 'm'), `${page}: make ${name}`);
    }
    for (const name of found(codeOf(page), /\bnpm run (?:--silent )?([a-z]+)/g))
      t.ok(name in scripts, `${page}: npm run ${name}`);
  }
  t.ok(targets.has('run') && targets.has('test'), 'the two commands that a new user needs');
  t.end();
});

/** The options that --help shows. */
const shownOptions = (command: Command): Command['options'][number][] =>
  command.options.filter(({ hidden }) => !hidden);

/** Every command that can be run or has others below it, by what is typed. */
const COMMANDS = new Map<string, Command>();
const collect = (command: Command, path: string): void => {
  COMMANDS.set(path, command);
  for (const one of command.commands) collect(one, `${path} ${one.name()}`);
};
for (const command of program.commands) collect(command, command.name());

t.test('lists every command with arguments, flags, defaults and exit codes in docs/commands.md', (t) => {
  const sections = new Map(
    read('docs/commands.md')
      .split(/^##+ /m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf('\n')), text]),
  );
  t.strictSame([...sections.keys()].toSorted(), [...COMMANDS.keys()].toSorted());
  for (const [path, command] of COMMANDS) {
    const text = sections.get(path) ?? '';
    const line = [
      'threadmill',
      path,
      ...command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)),
    ].join(' ');
    t.ok(text.includes(`\`${line}\`: ${command.description()}.`), path);
    const rows = shownOptions(command).map(
      ({ flags, description, defaultValue }) =>
        `| ${flags
          .split(', ')
          .map((flag) => `\`${flag}\``)
          .join(', ')} | ${description} | ${defaultValue === undefined ? '' : `\`${String(defaultValue)}\` `}|`,
    );
    t.strictSame(
      text.split('\n').filter((row) => row.startsWith('| `-')),
      rows,
      path,
    );
    if (command.commands.length > 0) continue;
    t.match(text, /^Exit code: 0 /m, path);
    t.ok(
      read('docs/commands.md').includes(
        `\n| [\`${path}\`](#${path.replaceAll(' ', '-')}) | ${command.description()} |\n`,
      ),
      `${path} in the list`,
    );
  }
  t.end();
});

t.test('shows only commands and flags that exist', (t) => {
  let shown = 0;
  for (const page of PAGES.filter((one) => one !== 'CHANGELOG.md')) {
    for (const line of codeOf(page).split('\n')) {
      // In a pipe, a sentence or a table others follow.
      for (const [, text] of line.matchAll(/(?:^|[`$("] ?|&& |; )(?:[A-Z_]+=\S+ )*threadmill ([a-z][^|;&`")]*)/g)) {
        const words = text!.split(/\s+/);
        const path = [words.slice(0, 2).join(' '), words[0]!].find((one) => COMMANDS.has(one));
        shown += 1;
        t.ok(path, `${page}: threadmill ${text}`);
        const known = COMMANDS.get(path ?? '')?.options.flatMap(({ short, long }) => [short, long]) ?? [];
        for (const flag of found(` ${text}`, / (--?[a-z][a-z-]*)/g))
          t.ok(known.includes(flag) || flag === '--help' || flag === '-h', `${page}: ${flag} of threadmill ${text}`);
      }
    }
  }
  t.ok(shown > 40, `${shown} commands`);
  t.end();
});

t.test('lists every key of langgraph.json, and no other, in docs/configuration.md', (t) => {
  const text = read('docs/configuration.md');
  const rows = text
    .slice(text.indexOf('## langgraph.json'), text.indexOf('## Environment variables'))
    .split('\n')
    .filter((line) => /^\| `[a-z]/.test(line));
  const named = rows
    .flatMap((row) => found(row.split('|')[1]!, /`([^`]+)`/g))
    .filter((name) => name !== '_INTERNAL_')
    .map((name) => name.replace('.<name>', ''));
  const places = placesOf(FILE_KEYS, '');
  const leaves = places.filter((place) => !places.some((other) => other.startsWith(`${place}.`)));
  // The singular of a list's name is said in words; a path of the checkpointer is refused.
  const apart = /^(\$schema|checkpointer\.path|http\.(configurable|logging)_headers\.(include|exclude))$/;
  t.strictSame(
    named.toSorted(),
    [...leaves.filter((place) => !apart.test(place)), 'graphs.path', 'graphs.description'].toSorted(),
  );
  const file = join(temporaryFolder(t), 'langgraph.json');
  for (const { code } of blocksOf('docs/configuration.md').filter(({ language }) => language === 'json')) {
    writeFileSync(file, code.replace('"env": ".env"', '"env": {}'));
    t.strictSame(readProject(file).warnings, [], code);
  }
  t.end();
});

t.test('lists every environment variable, and no other, in docs/configuration.md', (t) => {
  const listed = (all: readonly string[]): string => all.map((name) => `\`${name}\``).join(', ');
  const cell = (text: string): string => (text === '' ? '|' : `${text} |`);
  const known = VARIABLES.map(
    (one) => `| ${listed(one.names)} | ${one.meaning} | ${cell(allowedText(one))} ${cell(one.defaultText)}`,
  );
  const foreign = IGNORED_VARIABLES.map(({ names, instead }) => `| ${listed(names)} | ${instead} |`);
  t.strictSame(
    read('docs/configuration.md')
      .split('\n')
      .filter((line) => /^\| `[A-Z]\w+`/.test(line)),
    [...known, ...foreign],
  );

  const sources = ['src', 'workers']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    )
    .join('\n');
  const names = VARIABLES.flatMap((variable) => variable.names);
  t.strictSame(names.length, new Set(names).size, 'each once');
  for (const name of found(sources, /\benv\['([A-Z_]+)'\]/g))
    if (name !== 'UWS_HTTP_MAX_HEADERS_SIZE') t.ok(names.includes(name), `${name} is in the table`);
  for (const name of found(sources, /(?:envSecondsAsMs|envInteger|envText)\(env, '([A-Z_]+)'/g))
    t.ok(names.includes(name), `${name} is in the table`);
  for (const {
    names: [first],
    reader,
  } of VARIABLES)
    t.ok(read(reader).includes(`'${first!}'`), `${reader} reads ${first!}`);
  for (const name of IGNORED_VARIABLES.flatMap((one) => one.names))
    t.notOk(names.includes(name), `${name} is in one of the tables`);
  t.end();
});

t.test('accepts the configuration of docs/assistants.md, which lists the routes of the server', (t) => {
  const [setting] = found(read('docs/assistants.md'), /^ *LANGGRAPH_CONFIG='(.*)'$/gm);
  t.equal(readConfig({ config: EXAMPLES }, { LANGGRAPH_CONFIG: setting! }).assistantDefaults.size, 1);
  const named = routes.flatMap(({ method, path, alias }) =>
    alias || !/^\/assistants(\/(search|count|:\w+(\/(versions|latest))?))?$/.test(path)
      ? []
      : [`${method.toUpperCase()} ${path.replace(/:\w+/, '{id}')}`],
  );
  t.strictSame(found(read('docs/assistants.md'), /^\| `([A-Z]+ \/\S+)` \|/gm).toSorted(), named.toSorted());
  t.end();
});

t.test('finds a handler in the configurations of docs/auth.md', (t) => {
  const file = join(temporaryFolder(t), 'langgraph.json');
  const configurations = blocksOf('docs/auth.md').filter(
    ({ language, code }) => language === 'json' && code.includes('"auth"'),
  );
  for (const { code } of configurations) {
    writeFileSync(file, code);
    t.ok(readProject(file).auth, code);
  }
  t.equal(configurations.length, 2);
  t.end();
});

t.test('reads the configurations of docs/store.md as the page says', (t) => {
  const folder = temporaryFolder(t);
  const [byMeaning, timeToLive] = blocksOf('docs/store.md')
    .filter(({ language, code }) => language === 'json' && code.includes('"graphs"'))
    .map(({ code }) => {
      const file = join(folder, 'langgraph.json');
      writeFileSync(file, code);
      return readProject(file).store;
    });
  t.match(byMeaning!.index, {
    dims: 384,
    file: join(folder, 'embed.ts'),
    exportName: 'embed',
    fields: ['title', 'parts[*].text'],
  });
  t.strictSame(timeToLive, {
    ttl: { refreshOnRead: true, defaultMs: 10_080 * 60_000 },
    sweepMs: 3_600_000,
    index: null,
  });
  t.end();
});

t.test('lists the routes and events of the server in docs/auth.md', (t) => {
  const named = routes.filter(({ alias }) => !alias);
  const rows = named
    .filter(({ action }) => action !== 'public')
    .map(
      ({ method, path, action, additionalActions }) =>
        `| \`${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}\` | ${[action, ...additionalActions].map((one) => `\`${one}\``).join(', then ')} |`,
    );
  t.strictSame(
    read('docs/auth.md')
      .split('\n')
      .filter((line) => /^\| `[A-Z]+ \//.test(line)),
    rows,
  );
  const open = found(/These paths are public: (.*)\. A path/.exec(read('docs/auth.md'))![1]!, /`([^`]+)`/g);
  for (const { path } of named.filter(({ action }) => action === 'public'))
    t.ok(
      open.some((one) => path === one || path.startsWith(`${one}/`)),
      path,
    );
  t.end();
});

t.test('lists the metrics of the server in docs/operations.md', (t) => {
  const rows = METRIC_SPECS.map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  t.strictSame(
    read('docs/operations.md')
      .split('\n')
      .filter((line) => line.startsWith('| `threadmill_')),
    rows,
  );
  t.end();
});

t.test('lists the routes of the server in docs/evaluation.md', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  const { paths } = (await (await server.get('/openapi.json')).json()) as { paths: Record<string, object> };
  const real = Object.entries(paths).flatMap(([path, methods]) =>
    /^\/api\/v\d\//.test(path)
      ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '')}`)
      : [],
  );
  t.strictSame(found(read('docs/evaluation.md'), /^\| `([A-Z]+ \/\S+)` \|/gm).toSorted(), real.toSorted());
});
