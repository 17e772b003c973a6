/**
 * Builds console/ into dist/static/console. File names contain a hash of the content. Each file is also stored as
 * gzip and brotli, so that the server need not compress. Does nothing if the console was built from the same files.
 * `npm run console` rebuilds on every change.
 */
import { build, context, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { importCommonFiles } from './console-chunks.js';
import { smallerBundle } from './console-plugins.js';
import { smallFonts } from './small-fonts.js';
import { thirdPartyText } from './licences.js';

const ROOT = join(import.meta.dirname, '..', '..');
const CONSOLE = join(ROOT, 'console');
const OUT = join(ROOT, 'dist', 'static', 'console');
const ENTRY = 'console/src/main.tsx';
/** Names what the console was built from. Outside of OUT, whose files the server offers. */
const STAMP = join(ROOT, 'dist', 'console-made-from');
/** Smaller files do not benefit from compression. */
const COMPRESSED_BYTES_MIN = 1_000;
/** The font of most texts. The others are loaded when a page has their characters. */
const MAIN_FONT = /^inter-latin-wght-normal-\w+\.woff2$/;

const common: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  target: 'es2022',
  jsx: 'automatic',
  minify: true,
  tsconfigRaw: {},
  define: {
    'process.env.NODE_ENV': '"production"',
    // The gallery of components is for development only.
    HAS_GALLERY: String(process.argv.includes('--watch')),
  },
  loader: { '.woff2': 'file' },
  logLevel: 'warning',
};

const options: BuildOptions = {
  ...common,
  entryPoints: { console: ENTRY },
  outdir: OUT,
  splitting: true,
  format: 'esm',
  metafile: true,
  // All licences are in THIRD-PARTY.txt.
  legalComments: 'none',
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  assetNames: '[name]-[hash]',
};

const plugins = (appended?: (file: string) => string): Plugin[] => [
  ...smallerBundle(ROOT, appended),
  smallFonts(ROOT),
  writePage(),
];

/** Writes the page with links to its first files, the licences, the report page, and the compressed files. */
function writePage(): Plugin {
  return {
    name: 'page',
    setup({ onStart, onEnd }) {
      onStart(() => {
        rmSync(OUT, { recursive: true, force: true });
        mkdirSync(OUT, { recursive: true });
      });
      onEnd(async ({ metafile, errors }) => {
        if (errors.length > 0 || metafile === undefined) return;
        const { script, parts } = firstView(metafile);
        const files = [
          `<link rel="preload" as="font" type="font/woff2" crossorigin href="${mainFont()}">`,
          `<link rel="stylesheet" href="${mergeStylesheets(metafile)}">`,
          ...parts.map((file) => `<link rel="modulepreload" href="${file}">`),
          `<script type="module" src="${script}"></script>`,
        ].join('\n');
        writeFileSync(
          join(OUT, 'index.html'),
          readFileSync(join(CONSOLE, 'index.html'), 'utf8').replace('{{files}}', () => files),
        );
        writeFileSync(
          join(OUT, 'THIRD-PARTY.txt'),
          thirdPartyText(ROOT, Object.keys(metafile.inputs), { node: false }),
        );
        await writeReport();
        writeFileSync(join(OUT, 'icon.svg'), readFileSync(join(CONSOLE, 'icon.svg')));
        for (const name of readdirSync(OUT)) compress(join(OUT, name));
      });
    },
  };
}

/**
 * Writes the single-file page for saved comparisons (console/src/report/). Its content security policy allows only
 * its own script and style, by their hashes. The nonce is for styles that the component library adds while a control
 * is used.
 */
async function writeReport(): Promise<void> {
  const { outputFiles } = await build({
    ...common,
    entryPoints: { report: 'console/src/report/main.tsx' },
    outdir: OUT,
    write: false,
    splitting: false,
    format: 'iife',
    legalComments: 'inline',
    charset: 'ascii',
    plugins: smallerBundle(ROOT),
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))!.text.trim();
  const parts: Readonly<Record<string, string>> = {
    script: text('.js'),
    style: text('.css'),
    scriptHash: hashSource(text('.js')),
    styleHash: hashSource(text('.css')),
    nonce: hashOf(text('.js')).slice(0, 22),
    data: '{{data}}',
  };
  writeFileSync(
    join(OUT, 'report.html'),
    readFileSync(join(CONSOLE, 'src', 'report', 'template.html'), 'utf8').replaceAll(
      /\{\{(\w+)\}\}/g,
      (_all, name: string) => parts[name]!,
    ),
  );
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function hashSource(text: string): string {
  return `'sha256-${hashOf(text)}'`;
}

/**
 * Merges all stylesheets into one, with the rules of the entry point first and each rule once. esbuild writes a
 * stylesheet for each lazy chunk but no code that loads it. All of them together are small.
 */
function mergeStylesheets({ outputs }: Metafile): string {
  const own = Object.values(outputs).find(({ entryPoint }) => entryPoint === ENTRY)!.cssBundle;
  const files = Object.keys(outputs)
    .filter((path) => path.endsWith('.css'))
    .toSorted((a, b) => Number(b === own) - Number(a === own));
  const css = [...new Set(files.flatMap((file) => splitRules(readFileSync(join(ROOT, file), 'utf8').trim())))].join('');
  for (const file of files) rmSync(join(ROOT, file));
  const name = `console-${createHash('sha256').update(css).digest('hex').slice(0, 8).toUpperCase()}.css`;
  writeFileSync(join(OUT, name), css);
  return name;
}

/** Splits a minified stylesheet into its top-level rules. */
function splitRules(css: string): string[] {
  const rules: string[] = [];
  let [begin, depth] = [0, 0];
  for (let at = 0; at < css.length; at += 1) {
    const char = css[at];
    if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    if (depth > 0 || (char !== '}' && char !== ';')) continue;
    rules.push(css.slice(begin, at + 1));
    begin = at + 1;
  }
  if (depth !== 0 || begin !== css.length) throw new Error('A stylesheet has unbalanced braces.');
  return rules;
}

/** The entry script of the page, and the chunks that it imports statically. */
function firstView({ outputs }: Metafile): { script: string; parts: string[] } {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === ENTRY)!;
  const parts = new Set<string>();
  const walk = (file: string): void => {
    for (const { path: imported, kind } of outputs[file]!.imports) {
      if (kind !== 'import-statement' || parts.has(imported)) continue;
      parts.add(imported);
      walk(imported);
    }
  };
  walk(path);
  return { script: basename(path), parts: [...parts].map((part) => basename(part)) };
}

function mainFont(): string {
  return readdirSync(OUT).find((name) => MAIN_FONT.test(name))!;
}

function compress(file: string): void {
  const bytes = readFileSync(file);
  // The server assembles the page for each request. Fonts are compressed.
  if (bytes.length < COMPRESSED_BYTES_MIN || basename(file) === 'index.html' || file.endsWith('.woff2')) return;
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  );
}

/** Hash of everything that decides what the build writes. */
function hashInputs(): string {
  const hash = createHash('sha256');
  const files = [CONSOLE, join(ROOT, 'packaging')]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of [...files, join(ROOT, 'node_modules', '.package-lock.json')])
    hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

if (process.argv.includes('--watch')) {
  rmSync(STAMP, { force: true });
  await (await context({ ...options, plugins: plugins() })).watch();
} else {
  const made = hashInputs();
  if (!existsSync(OUT) || !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== made) {
    rmSync(STAMP, { force: true });
    const appended = await importCommonFiles(ROOT, { ...options, plugins: smallerBundle(ROOT) });
    await build({ ...options, plugins: plugins(appended) });
    writeFileSync(STAMP, made);
  }
}
