import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import t, { type Test } from 'tap';
import { program } from '../src/cli/program.js';
import { allowedText, FOREIGN, VARIABLES } from '../src/config-env.js';
import { FILE_KEYS, placesOf } from '../src/config-keys.js';
import { readConfig, readProject } from '../src/config.js';
import { FIGURES } from '../src/http/metrics.js';
import { routes } from '../src/http/routes/index.js';
import { EXAMPLES, ROOT, temporaryFolder, testServer } from './helpers/server.js';

const run = promisify(execFile);
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Every page of ours, from the root of the repository. */
const PAGES = ['README.md', 'CHANGELOG.md', 'examples/README.md', 'examples/auth-jwt/README.md', 'examples/auth-tokens/README.md', ...readdirSync(join(ROOT, 'docs'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))];

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const blocks = (text: string): { language: string; code: string }[] => [...text.matchAll(FENCE)].map(([, language, code]) => ({ language: language!, code: code! }));
const inline = (text: string): string[] => [...text.replace(FENCE, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);

/** What a page says in code: commands, flags and names that must exist. */
const codeOf = (text: string): string => [...blocks(text).map(({ code }) => code), ...inline(text)].join('\n');
const found = (text: string, pattern: RegExp): string[] => [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))];

/** The anchor that GitHub gives a heading. */
const anchorsOf = (text: string): string[] => [...text.replace(FENCE, '').matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-'));

t.test('every relative link leads somewhere', (t) => {
  let links = 0;
  for (const page of PAGES) {
    for (const [, target] of read(page).replace(FENCE, '').matchAll(/\]\(([^)\s]+)\)/g)) {
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

t.test('every source file that a page names exists', (t) => {
  for (const page of PAGES) {
    const names = inline(read(page)).filter((code) => /^(src|workers|test|examples|schemas)\/[\w./-]+$/.test(code));
    for (const name of names) t.ok(existsSync(join(ROOT, name)), `${page}: ${name}`);
  }
  t.end();
});

t.test('every test that docs/reliability.md names exists', (t) => {
  const page = readFileSync(join(ROOT, 'docs', 'reliability.md'), 'utf8');
  const promises = page.split('\n').filter((line) => /^\| (P\d+)? ?\|/.test(line)).slice(1);
  t.equal(promises.length, 13, 'all of them');
  for (const line of promises) {
    const tests = [...line.split('|')[3]!.matchAll(/`([\w-]+\/[\w-]+)`/g)].map(([, name]) => name!);
    t.ok(tests.length > 0, line.slice(0, 40));
    for (const name of tests) t.ok(existsSync(join(ROOT, 'test', `${name}.test.ts`)), name);
  }
  t.end();
});

t.test('every make target and npm script that a page names exists', (t) => {
  const makefile = read('Makefile');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const targets = new Set<string>();
  for (const page of PAGES) {
    for (const name of found(codeOf(read(page)), /^make ([a-z]+)/gm)) {
      targets.add(name);
      t.match(makefile, new RegExp(`^${name}:`, 'm'), `${page}: make ${name}`);
    }
    for (const name of found(codeOf(read(page)), /\bnpm run (?:--silent )?([a-z]+)/g)) t.ok(name in scripts, `${page}: npm run ${name}`);
  }
  t.ok(targets.has('run') && targets.has('test'), 'the two commands that a new user needs');
  t.end();
});

/** Every command that can be run or has others below it, by what is typed. */
const COMMANDS = new Map<string, Command>();
const collect = (command: Command, path: string): void => {
  COMMANDS.set(path, command);
  for (const one of command.commands) collect(one, `${path} ${one.name()}`);
};
for (const command of program.commands) collect(command, command.name());

t.test('docs/commands.md has every command, with its arguments, flags, defaults and exit codes', (t) => {
  const sections = new Map(read('docs/commands.md').split(/^##+ /m).slice(1).map((text) => [text.slice(0, text.indexOf('\n')), text]));
  t.strictSame([...sections.keys()].toSorted(), [...COMMANDS.keys()].toSorted());
  for (const [path, command] of COMMANDS) {
    const text = sections.get(path) ?? '';
    const line = ['threadmill', path, ...command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`))].join(' ');
    t.ok(text.includes(`\`${line}\`: ${command.description()}.`), path);
    const rows = command.options.map(({ flags, description, defaultValue }) => `| ${flags.split(', ').map((flag) => `\`${flag}\``).join(', ')} | ${description} | ${defaultValue === undefined ? '' : `\`${String(defaultValue)}\` `}|`);
    t.strictSame(text.split('\n').filter((row) => row.startsWith('| `-')), rows, path);
    if (command.commands.length > 0) continue;
    t.match(text, /^Exit code: 0 /m, path);
    t.ok(read('docs/commands.md').includes(`\n| [\`${path}\`](#${path.replaceAll(' ', '-')}) | ${command.description()} |\n`), `${path} in the list`);
  }
  t.end();
});

t.test('every command that a page shows exists, and so do its flags', (t) => {
  let shown = 0;
  for (const page of PAGES.filter((one) => one !== 'CHANGELOG.md')) {
    for (const line of codeOf(read(page)).split('\n')) {
      // In a pipe, a sentence or a table others follow.
      for (const [, text] of line.matchAll(/(?:^|[`$("] ?|&& |; )(?:[A-Z_]+=\S+ )*threadmill ([a-z][^|;&`")]*)/g)) {
        const words = text!.split(/\s+/);
        const path = [words.slice(0, 2).join(' '), words[0]!].find((one) => COMMANDS.has(one));
        shown += 1;
        t.ok(path, `${page}: threadmill ${text}`);
        const known = COMMANDS.get(path ?? '')?.options.flatMap(({ short, long }) => [short, long]) ?? [];
        for (const flag of found(` ${text}`, / (--?[a-z][a-z-]*)/g)) t.ok(known.includes(flag) || flag === '--help' || flag === '-h', `${page}: ${flag} of threadmill ${text}`);
      }
    }
  }
  t.ok(shown > 40, `${shown} commands`);
  t.end();
});

t.test('docs/configuration.md has every key of langgraph.json, and no other', (t) => {
  const text = read('docs/configuration.md');
  const rows = text.slice(text.indexOf('## langgraph.json'), text.indexOf('## Environment variables')).split('\n').filter((line) => /^\| `[a-z]/.test(line));
  const named = rows.flatMap((row) => found(row.split('|')[1]!, /`([^`]+)`/g)).filter((name) => name !== '_INTERNAL_').map((name) => name.replace('.<name>', ''));
  const places = placesOf(FILE_KEYS, '');
  const leaves = places.filter((place) => !places.some((other) => other.startsWith(`${place}.`)));
  // The singular of a list's name is said in words; a path of the checkpointer is refused.
  const apart = /^(\$schema|checkpointer\.path|http\.(configurable|logging)_headers\.(include|exclude))$/;
  t.strictSame(named.toSorted(), [...leaves.filter((place) => !apart.test(place)), 'graphs.path', 'graphs.description'].toSorted());
  const file = join(temporaryFolder(t), 'langgraph.json');
  for (const { code } of blocks(text).filter(({ language }) => language === 'json')) {
    writeFileSync(file, code.replace('"env": ".env"', '"env": {}'));
    t.strictSame(readProject(file).warnings, [], code);
  }
  t.end();
});

t.test('the environment variables of docs/configuration.md are those of the table in the code, and those that are read', (t) => {
  const listed = (all: readonly string[]): string => all.map((name) => `\`${name}\``).join(', ');
  const cell = (text: string): string => (text === '' ? '|' : `${text} |`);
  const known = VARIABLES.map((one) => `| ${listed(one.names)} | ${one.meaning} | ${cell(allowedText(one))} ${cell(one.otherwise)}`);
  const foreign = FOREIGN.map(({ names, instead }) => `| ${listed(names)} | ${instead} |`);
  t.strictSame(read('docs/configuration.md').split('\n').filter((line) => /^\| `[A-Z]\w+`/.test(line)), [...known, ...foreign]);

  const sources = ['src', 'workers'].flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')))
    .join('\n');
  const names = VARIABLES.flatMap((variable) => variable.names);
  t.strictSame(names.length, new Set(names).size, 'each once');
  for (const name of found(sources, /\benv\['([A-Z_]+)'\]/g)) if (name !== 'UWS_HTTP_MAX_HEADERS_SIZE') t.ok(names.includes(name), `${name} is in the table`);
  for (const name of found(sources, /(?:seconds|whole|given)\(env, '([A-Z_]+)'/g)) t.ok(names.includes(name), `${name} is in the table`);
  for (const { names: [first], reader } of VARIABLES) t.ok(read(reader).includes(`'${first!}'`), `${reader} reads ${first!}`);
  for (const name of FOREIGN.flatMap((one) => one.names)) t.notOk(names.includes(name), `${name} is in one of the tables`);
  t.end();
});

t.test('the requests of the README and of the examples are answered', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  for (const page of ['README.md', 'examples/README.md']) {
    const scripts = blocks(read(page)).filter(({ language, code }) => language === 'sh' && code.includes('curl '));
    t.ok(scripts.length > 0, page);
    for (const { code } of scripts) {
      // Every curl also says how it was answered.
      const told = `curl() { command curl "$@" -w '\\nHTTP %{http_code}\\n'; }\n${code.replaceAll('http://127.0.0.1:8123', server.url)}`;
      const { stdout } = await run('sh', ['-c', told]);
      const statuses = found(stdout, /^HTTP (\d+)$/gm);
      t.strictSame(statuses, ['200'], `${page}: ${code}\n${stdout}`);
    }
  }
});

t.test('the transcript of the README is what the run says', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  const [command, transcript] = blocks(read('README.md')).filter(({ code }) => code.includes('"stream_mode":"updates"') || code.startsWith('id: 0')).map(({ code }) => code);
  const { stdout } = await run('sh', ['-c', command!.replaceAll('http://127.0.0.1:8123', server.url)]);
  const fields = (text: string, name: string): string[] => [...text.matchAll(new RegExp(`^${name}: (.*)$`, 'gm'))].map(([, value]) => value!);
  t.strictSame(fields(transcript!, 'id'), fields(stdout, 'id'));
  t.strictSame(fields(transcript!, 'event'), fields(stdout, 'event'));
  const data = fields(stdout, 'data');
  for (const [at, shown] of fields(transcript!, 'data').entries()) {
    if (at === 0) continue; // the run's id is another one
    for (const part of shown.split('…')) t.ok(data[at]!.includes(part.replace(/^,|,$/g, '')), `event ${at}: ${part}`);
  }
});

interface Ran {
  stdout: string;
  /** How each curl of the block was answered. */
  statuses: number[];
  code: number;
}

const END = 'BLOCK ENDED ';

/** The blocks of one page as one script in one folder, so that later ones see the variables and files of earlier ones. */
async function runBlocks(folder: string, url: string, scripts: readonly { language: string; code: string }[]): Promise<Ran[]> {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const program = `${process.execPath} ${join(ROOT, 'dist/src/main.js')}`;
  const lines = [
    `curl() { command curl "$@" -w '%{stderr}HTTP %{http_code}\\n'; }`,
    `threadmill() { if [ "$1" = keys ]; then ${program} "$@"; else ${program} "$@" --url ${url}; fi; }`,
    ...scripts.map(({ language, code }) => {
      const command = language === 'js' ? `node --input-type=module <<'JS_ENDED'\n${code}JS_ENDED\n` : code;
      // A reader's machine is not as busy as one that runs tests.
      return `${command.replace('sleep 1\n', 'sleep 3\n').replaceAll('http://127.0.0.1:8123', url)}printf '\\n${END}%s\\n' $?; echo '${END}' >&2`;
    }),
  ];
  const { stdout, stderr } = await run('sh', ['-c', lines.join('\n')], { cwd: folder, maxBuffer: 2 ** 26 });
  const told = stderr.split(`${END}\n`);
  const said = [...stdout.replaceAll(url, 'http://127.0.0.1:8123').matchAll(new RegExp(`([\\s\\S]*?)\\n${END}(\\d+)\\n`, 'g'))];
  return said.map(([, text, code], at) => ({ stdout: text!, code: Number(code), statuses: [...told[at]!.matchAll(/^HTTP (\d+)$/gm)].map(([, status]) => Number(status)) }));
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Ids are others every time, and so are times, but for those of the page's own experiments. */
const masked = (text: string): string => text.replace(UUID, '<id>').replace(/\d{4}-\d\d-\d\dT[\d:.]+\+00:00/g, (time) => (time.startsWith('2026-01-0') ? time : '<time>'));

/** An answer as a page shows it: `…` stands for what is left out. */
const shownJson = (code: string): unknown => JSON.parse(code.replace(/"(?:[^"\\]|\\.)*"|,?\s*…/g, (part) => (part.startsWith('"') ? part : '')));

/** Where an answer is not as it is shown. Names that are ids are told by their order. */
function differences(shown: unknown, real: unknown, at: string): string[] {
  if (typeof shown === 'string' && typeof real === 'string') {
    const same = shown.endsWith('…') || masked(shown) === masked(real);
    return same ? [] : [`${at}: ${shown} is ${real}`];
  }
  if (Array.isArray(shown) && Array.isArray(real)) return shown.flatMap((item, index) => differences(item, real[index], `${at}.${index}`));
  if (typeof shown !== 'object' || shown === null || typeof real !== 'object' || real === null) return Object.is(shown, real) ? [] : [`${at}: ${String(shown)} is ${String(real)}`];
  const ids = Object.keys(real).filter((name) => masked(name) === '<id>');
  return Object.entries(shown).flatMap(([name, value]) => {
    const itsName = masked(name) === '<id>' ? ids.shift()! : name;
    return differences(value, (real as Record<string, unknown>)[itsName], `${at}.${name}`);
  });
}

/** Runs the page's commands; an answer that stands below one must be its own. Returns how many answers were compared. */
async function asShown(t: Test, folder: string, url: string, page: string): Promise<number> {
  const all = blocks(read(page));
  const scripts = all.filter(({ language }) => language === 'sh' || language === 'js');
  const ran = await runBlocks(folder, url, scripts);
  t.equal(ran.length, scripts.length);
  let compared = 0;
  for (const [at, script] of scripts.entries()) {
    const { stdout, statuses, code } = ran[at]!;
    const name = script.code.slice(0, 160);
    t.equal(code, 0, `${name}\n${stdout}`);
    const answer = all[all.indexOf(script) + 1];
    const refused = answer?.language === 'json' && answer.code.includes('"detail"');
    for (const status of statuses) t.ok(refused ? status >= 400 && status < 500 : status >= 200 && status < 300, `${status}: ${name}\n${stdout}`);
    if (answer?.language === 'json') {
      t.strictSame(differences(shownJson(answer.code), JSON.parse(stdout.trim()), 'answer'), [], name);
      compared += 1;
    } else if (answer?.language === 'text') {
      const lines = masked(stdout).split('\n').map((line) => line.trimEnd());
      for (const line of masked(answer.code).trimEnd().split('\n')) t.ok(lines.includes(line), `${line}\n${stdout}`);
      compared += 1;
    }
  }
  return compared;
}

t.test('what docs/evaluation.md shows is run, and answered as it says', { timeout: 120_000 }, async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  const compared = await asShown(t, temporaryFolder(t), server.url, 'docs/evaluation.md');
  t.equal(compared, blocks(read('docs/evaluation.md')).filter(({ language }) => language === 'json' || language === 'text').length, 'every answer stands below what was asked');
});

t.test('what docs/assistants.md shows is run, and its configuration taken', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  const [setting] = found(read('docs/assistants.md'), /^ *LANGGRAPH_CONFIG='(.*)'$/gm);
  t.equal(readConfig({ config: EXAMPLES }, { LANGGRAPH_CONFIG: setting! }).assistantDefaults.size, 1);
  t.equal(await asShown(t, temporaryFolder(t), server.url, 'docs/assistants.md'), 0);
  const named = routes.flatMap(({ method, path, alias }) => (alias || !/^\/assistants(\/(search|count|:\w+(\/(versions|latest))?))?$/.test(path) ? [] : [`${method.toUpperCase()} ${path.replace(/:\w+/, '{id}')}`]));
  t.strictSame(found(read('docs/assistants.md'), /^\| `([A-Z]+ \/\S+)` \|/gm).toSorted(), named.toSorted());
});

t.test('what docs/streaming.md shows is run, and answered as it says', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  t.equal(await asShown(t, temporaryFolder(t), server.url, 'docs/streaming.md'), 1);
});

t.test('what docs/auth.md shows is run, and answered as it says', async (t) => {
  const folder = temporaryFolder(t);
  const server = await testServer(t, { config: EXAMPLES, dataFolder: join(folder, '.threadmill') });
  const compared = await asShown(t, folder, server.url, 'docs/auth.md');
  const [configurations, answers] = [true, false].map((wanted) => blocks(read('docs/auth.md')).filter(({ language, code }) => language === 'json' && code.includes('"auth"') === wanted)) as [{ code: string }[], unknown[]];
  t.equal(compared, answers.length, 'every answer stands below what was asked');
  for (const { code } of configurations) {
    const file = join(folder, 'langgraph.json');
    writeFileSync(file, code);
    t.ok(readProject(file).auth, code);
  }
  t.equal(configurations.length, 2);
});

t.test('what docs/store.md shows is run, and answered as it says', async (t) => {
  const folder = temporaryFolder(t);
  const server = await testServer(t, { config: EXAMPLES });
  const [configurations, answers] = [true, false].map((wanted) => blocks(read('docs/store.md')).filter(({ language, code }) => language === 'json' && code.includes('"graphs"') === wanted)) as [{ code: string }[], unknown[]];
  t.equal(await asShown(t, folder, server.url, 'docs/store.md'), answers.length, 'every answer stands below what was asked');
  const [byMeaning, timeToLive] = configurations.map(({ code }) => {
    const file = join(folder, 'langgraph.json');
    writeFileSync(file, code);
    return readProject(file).store;
  });
  t.match(byMeaning!.index, { dims: 384, file: join(folder, 'embed.ts'), exportName: 'embed', fields: ['title', 'parts[*].text'] });
  t.strictSame(timeToLive, { ttl: { refreshOnRead: true, defaultMs: 10_080 * 60_000 }, sweepMs: 3_600_000, index: null });
});

t.test('the routes and events of docs/auth.md are those of the server', (t) => {
  const named = routes.filter(({ alias }) => !alias);
  const rows = named.filter(({ action }) => action !== 'public')
    .map(({ method, path, action, also }) => `| \`${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}\` | ${[action, ...also].map((one) => `\`${one}\``).join(', then ')} |`);
  t.strictSame(read('docs/auth.md').split('\n').filter((line) => /^\| `[A-Z]+ \//.test(line)), rows);
  const open = found(/Anyone may ask for (.*)\. A path/.exec(read('docs/auth.md'))![1]!, /`([^`]+)`/g);
  for (const { path } of named.filter(({ action }) => action === 'public')) t.ok(open.some((one) => path === one || path.startsWith(`${one}/`)), path);
  t.end();
});

t.test('the figures of docs/operations.md are those of /metrics', (t) => {
  const rows = FIGURES.map(({ name, type, labels, help }) => `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`);
  t.strictSame(read('docs/operations.md').split('\n').filter((line) => line.startsWith('| `threadmill_')), rows);
  t.end();
});

t.test('the configurations of docs/operations.md are read without a word', (t) => {
  const folder = temporaryFolder(t);
  const configurations = blocks(read('docs/operations.md')).filter(({ language }) => language === 'json');
  t.equal(configurations.length, 3);
  for (const { code } of configurations) {
    const file = join(folder, 'langgraph.json');
    writeFileSync(file, code);
    t.strictSame(readProject(file).warnings, [], code);
  }
  t.end();
});

t.test('the routes of docs/evaluation.md are those of the server', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  const { paths } = await (await server.get('/openapi.json')).json() as { paths: Record<string, object> };
  const real = Object.entries(paths).flatMap(([path, methods]) => (path.startsWith('/api/v1/') ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice('/api/v1'.length)}`) : []));
  t.strictSame(found(read('docs/evaluation.md'), /^\| `([A-Z]+ \/\S+)` \|/gm).toSorted(), real.toSorted());
});
