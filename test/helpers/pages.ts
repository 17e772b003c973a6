import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Test } from 'tap';
import { EXAMPLES, ROOT, temporaryFolder } from './server.js';

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const markdown = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

/** Every page of ours, from the root of the repository. */
export const PAGES = ['README.md', 'CHANGELOG.md', ...markdown('docs'), ...markdown('examples')];

export interface Block {
  page: string;
  language: string;
  code: string;
}

export const FENCE = /^( *)```(\w*)\n([\s\S]*?)^\1```$/gm;

/** Blocks of code of a page, those in lists too. */
export function blocksOf(page: string): Block[] {
  return [...read(page).matchAll(FENCE)].map(([, indent, language, code]) => ({
    page,
    language: language!,
    code: code!.replace(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** What langgraph.json would have. */
export function isConfiguration({ language, code }: Block): boolean {
  if (language !== 'json') return false;
  const value = shownJson(code);
  return typeof value === 'object' && value !== null && 'graphs' in value;
}

interface Ran {
  stdout: string;
  stderr: string;
  /** How each curl of the block was answered. */
  statuses: number[];
  code: number;
}

export interface RunOptions {
  /** A server that runs already; without it the page starts its own, by what it says or else before its first block. */
  url?: string;
  folder?: string;
  /** What a text of the page stands for. */
  replace?: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
}

const HERE = 'http://127.0.0.1:8123';
const END = 'BLOCK ENDED ';
const MAIN = join(ROOT, 'dist/src/main.js');

/** What a reader types, as functions of the shell: on whatever port is free, and without waiting for Ctrl-C. */
const PREAMBLE = `
curl() { command curl "$@" -w '%{stderr}HTTP %{http_code}\\n'; }
stop() { if [ -n "$SERVER" ]; then kill "$SERVER"; wait "$SERVER"; SERVER=; fi; }
trap stop EXIT
start() {
  stop
  : > "$FOLDER/server.log"
  ${process.execPath} ${MAIN} "$@" --workers 1 --port 0 >> "$FOLDER/server.log" 2>&1 &
  SERVER=$!
  while kill -0 $SERVER; do
    OWN_URL=$(sed -n 's/^Threadmill at \\([^ ]*\\).*/\\1/p' "$FOLDER/server.log")
    if [ -n "$OWN_URL" ]; then export OWN_URL THREADMILL_URL="$OWN_URL"; return 0; fi
    sleep 0.1
  done
  cat "$FOLDER/server.log" >&2
  return 1
}
make() { if [ "$1" = run ]; then shift; CONFIG=examples/langgraph.json; for one in "$@"; do eval "$one"; done; start serve --config "${ROOT}/$CONFIG"; else command make -C ${ROOT} -n "$@" > "$FOLDER/make.log"; fi; }
threadmill() {
  case "$1 $2" in
    serve*|dev*) if [ -f langgraph.json ]; then start "$@"; else start "$@" --config ${EXAMPLES}; fi ;;
    keys*|restore*|*--data*) ${process.execPath} ${MAIN} "$@" ;;
    doctor*|compact*) stop; ${process.execPath} ${MAIN} "$@" ;;
    *) ${process.execPath} ${MAIN} "$@" --url "$OWN_URL" ;;
  esac
}
`;

/** Blocks of one page as one script in one folder, so that later ones see the variables and files of earlier ones. */
async function runBlocks(
  t: Test,
  scripts: readonly Block[],
  { url, folder = temporaryFolder(t), replace = {}, env = {} }: RunOptions,
): Promise<Ran[]> {
  for (const name of ['node_modules', 'examples']) symlinkSync(join(ROOT, name), join(folder, name));
  const starts =
    url === undefined &&
    !scripts.some(({ code }) => /^(?:[A-Z_]+=\S+ )*(?:make run|threadmill (?:serve|dev))\b/m.test(code));
  const lines = [
    PREAMBLE,
    ...(starts ? ['threadmill serve > /dev/null'] : []),
    ...scripts.map(({ language, code }, at) => {
      // A reader's machine is not as busy as one that runs tests; and the functions wait by themselves for what they
      // start.
      const typed = code.replace('sleep 1\n', 'sleep 3\n').replace(/^(make run.*?) &$/gm, '$1');
      const file = join(folder, `block-${at}`);
      writeFileSync(
        file,
        Object.entries(replace).reduce((text, [from, to]) => text.replaceAll(from, to), typed),
      );
      // The address is known when the server has started.
      const text = `sed "s#${HERE}#$OWN_URL#g" ${file}`;
      return `${language === 'js' ? `node --input-type=module <<< "$(${text})"` : `eval "$(${text})"`}\nprintf '\\n${END}%s\\n' $?; echo '${END}' >&2`;
    }),
  ];
  const child = spawn('bash', ['-c', lines.join('\n')], {
    cwd: folder,
    env: { ...process.env, FOLDER: folder, OWN_URL: url, THREADMILL_URL: url, LOG_LEVEL: 'error', SERVER: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await once(child, 'close');
  const told = stderr.split(`${END}\n`);
  const said = [
    ...stdout
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, HERE)
      .matchAll(new RegExp(`([\\s\\S]*?)\\n${END}(\\d+)\\n`, 'g')),
  ];
  return said.map(([, text, code], at) => ({
    stdout: text!,
    stderr: told[at]!,
    code: Number(code),
    statuses: [...told[at]!.matchAll(/^HTTP (\d+)$/gm)].map(([, status]) => Number(status)),
  }));
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Ids are others every time, and so are times, but for those of the page's own experiments. */
const masked = (text: string): string =>
  text
    .replace(UUID, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+\+00:00/g, (time) => (time.startsWith('2026-01-0') ? time : '<time>'));

/** An answer as a page shows it: `…` stands for what is left out. */
export const shownJson = (code: string): unknown =>
  JSON.parse(code.replace(/"(?:[^"\\]|\\.)*"|,?\s*…/g, (part) => (part.startsWith('"') ? part : '')));

/** Where an answer is not as it is shown. Names that are ids are told by their order. */
function differences(shown: unknown, real: unknown, at: string): string[] {
  if (typeof shown === 'string' && typeof real === 'string') {
    const same = shown.endsWith('…') || masked(shown) === masked(real);
    return same ? [] : [`${at}: ${shown} is ${real}`];
  }
  if (Array.isArray(shown) && Array.isArray(real))
    return shown.flatMap((item, index) => differences(item, real[index], `${at}.${index}`));
  if (typeof shown !== 'object' || shown === null || typeof real !== 'object' || real === null)
    return Object.is(shown, real) ? [] : [`${at}: ${String(shown)} is ${String(real)}`];
  const ids = Object.keys(real).filter((name) => masked(name) === '<id>');
  return Object.entries(shown).flatMap(([name, value]) => {
    const itsName = masked(name) === '<id>' ? ids.shift()! : name;
    return differences(value, (real as Record<string, unknown>)[itsName], `${at}.${name}`);
  });
}

/** An answer that is JSON. Earlier commands of its block may have said something, too: then it is the last line. */
function parsed(stdout: string): unknown {
  for (const text of [stdout, stdout.split('\n').at(-1)!]) {
    try {
      return JSON.parse(text);
    } catch {
      // Not all of it, or no JSON: the comparison says what is there.
    }
  }
  return stdout;
}

/** Lines of a text as it is shown, where `…` stands for what is left out, that no line of the real one is. */
function missingLines(shown: string, real: string): string[] {
  const lines = masked(real)
    .split('\n')
    .map((line) => line.trimEnd());
  return masked(shown)
    .trimEnd()
    .split('\n')
    .filter((line) => {
      const parts = line.trimEnd().split('…');
      return !lines.some((one) =>
        parts.length === 1 ? one === parts[0] : parts.every((part) => one.includes(part.replace(/^,|,$/g, ''))),
      );
    });
}

/** Runs what the page shows, in order; what it shows as an answer must be that. */
export async function asShown(
  t: Test,
  page: string,
  steps: readonly { script: Block; answer: Block | null }[],
  options: RunOptions = {},
): Promise<void> {
  const ran = await runBlocks(
    t,
    steps.map(({ script }) => script),
    options,
  );
  t.equal(ran.length, steps.length, page);
  for (const [at, { stdout, stderr, statuses, code }] of ran.entries()) {
    const { script, answer } = steps[at]!;
    const name = `${page}: ${script.code.slice(0, 160)}`;
    t.equal(code, 0, `${name}\n${stdout}\n${stderr}`);
    const refused = answer?.code.includes('"detail"') ?? false;
    for (const status of statuses)
      t.ok(
        refused ? status >= 400 && status < 500 : status >= 200 && status < 300,
        `${status}: ${name}\n${stdout}\n${stderr}`,
      );
    if (answer?.language === 'json')
      t.strictSame(
        differences(shownJson(answer.code), parsed(stdout.trim()), 'answer'),
        [],
        `${name}\n${stdout}\n${stderr}`,
      );
    else if (answer !== null) t.strictSame(missingLines(answer.code, stdout), [], `${name}\n${stdout}\n${stderr}`);
  }
}
