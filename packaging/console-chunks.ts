import { build, type BuildOptions, type Metafile } from 'esbuild';
import { join, relative } from 'node:path';

/** A file that so many pages use is always loaded with the first one (docs/decisions/0039-console.md). */
const COMMON_SHARE = 0.6;
/** What a chunk of its own costs a page: the headers of its response, and the code that imports and exports. */
const CHUNK_BYTES = 800;
/** Of minified code within a large chunk. */
const COMPRESSED_SHARE = 0.33;
const OWN_FILE = /^console\/src\/.*\.tsx?$/;
/** Pages. Other parts that are loaded later, such as dialogs, do not count. */
const PAGE = /(?:\/routes|-page)\.tsx$/;

/**
 * Returns what to append to a source file so that the console is a few files instead of many small ones. esbuild
 * creates a chunk for each set of entry points that use the same modules, and every lazy part is an entry point. If all
 * of them import the modules that most pages use anyway, there is one chunk for these modules. `options` are those of
 * the build, with its entry point.
 */
export async function importCommonFiles(root: string, options: BuildOptions): Promise<(file: string) => string> {
  const { metafile } = await build({ ...options, metafile: true, write: false });
  const [entry] = Object.values(options.entryPoints as Record<string, string>);
  const lazy = lazyFiles(metafile!);
  const common = commonFiles(metafile!, entry!, lazy);
  const imports = common.map((file) => `\nimport ${JSON.stringify(join(root, file))};`).join('');
  return (file) => (relative(root, file) === entry || lazy.has(relative(root, file)) ? imports : '');
}

/** Files that are imported when they are needed. */
function lazyFiles({ inputs }: Metafile): Set<string> {
  const imports = Object.values(inputs).flatMap(({ imports: all }) => all);
  return new Set(imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path));
}

/**
 * The console's own files that the entry point or most pages use, and files of which the pages that use them save more
 * bytes than the other pages load in vain. The packages that they use come with them.
 */
function commonFiles(metafile: Metafile, entry: string, lazy: ReadonlySet<string>): string[] {
  const bytes = bytesOf(metafile);
  const pages = [...lazy].filter((file) => PAGE.test(file)).map((file) => reachableFiles(metafile, file));
  const shareOf = (file: string): number => pages.filter((page) => page.has(file)).length / pages.length;
  const common = new Set(reachableFiles(metafile, entry));
  const others = Object.keys(metafile.inputs)
    .filter((file) => OWN_FILE.test(file) && !lazy.has(file) && !common.has(file))
    .map((file) => ({ file, share: shareOf(file) }))
    .toSorted((a, b) => b.share - a.share);
  for (const { file, share } of others) {
    const added = [...reachableFiles(metafile, file)].filter((one) => !common.has(one));
    const addedBytes = added.reduce((sum, one) => sum + (bytes.get(one) ?? 0), 0) * COMPRESSED_SHARE;
    if (share >= COMMON_SHARE || share * CHUNK_BYTES > (1 - share) * addedBytes)
      added.forEach((one) => common.add(one));
  }
  return [...common].filter((file) => OWN_FILE.test(file) && file !== entry && !lazy.has(file));
}

/** Bytes of each file in the bundle. */
function bytesOf({ outputs }: Metafile): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs))
    for (const [file, { bytesInOutput }] of Object.entries(inputs))
      bytes.set(file, (bytes.get(file) ?? 0) + bytesInOutput);
  return bytes;
}

/** Everything that is loaded with a file. */
function reachableFiles({ inputs }: Metafile, file: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    for (const { path, kind } of inputs[next]?.imports ?? []) if (kind === 'import-statement') waiting.push(path);
  }
  return found;
}
