import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundledModule, PROGRAM_FOLDER } from '../../base/program-files.js';
import type { CodeVersion, ImportedModule } from '../../store/code-versions.js';
import { SOURCE_MAP } from './code-hash.js';
import { packageIn, packageOf } from './package-of.js';

/** A package that is not installed as the bundle needs it. `found`: the version that is; null if it is missing. */
export interface PackageProblem {
  name: string;
  wanted: string;
  found: string | null;
}

/**
 * The bundle of a version for the project folder `root`, which may be another one, on another machine. Imports become
 * those of the packages that the project has, or this program where the project does not have them. An import of a
 * package that is missing stays as it is.
 */
export function relocateBundle(
  { bundle, root: oldRoot, folder, imports }: CodeVersion,
  root: string,
): { code: Uint8Array; problems: PackageProblem[] } {
  const problems = new Map<string, PackageProblem>();
  const replacements = new Map<string, string>();
  for (const imported of imports) {
    const { packageName: name, version: wanted, place } = imported;
    const found = findModule(imported, oldRoot, root);
    if (found?.version !== wanted) problems.set(name, { name, wanted, found: found?.version ?? null });
    if (found !== null) replacements.set(place, isUrl(place) ? pathToFileURL(found.path).href : found.path);
  }
  const text = Buffer.from(bundle).toString();
  const map = SOURCE_MAP.exec(text);
  const code = replacePlaces(map === null ? text : text.slice(0, map.index), replacements, oldRoot, root);
  const sourceMap = map === null ? '' : relocatedMap(map[0], { folder, oldRoot, root });
  return {
    code: Buffer.from(code + sourceMap),
    problems: [...problems.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** The modules that a bundle imports, as they are installed now. Modules of no package are left out. */
export function importedModules(imports: readonly string[]): ImportedModule[] {
  return imports
    .filter((place) => isUrl(place) || place.startsWith(sep))
    .flatMap((place) => {
      const path = pathOf(place);
      const found = packageOf(path);
      return found === null
        ? []
        : [{ place, packageName: found.name, version: found.version, file: relative(found.folder, path) }];
    });
}

function isUrl(place: string): boolean {
  return place.startsWith('file:');
}

function pathOf(place: string): string {
  return isUrl(place) ? fileURLToPath(place) : place;
}

/** Where a module is for the project: in the same place of it, or where Node looks for its package. */
function findModule(
  { place, packageName, file }: ImportedModule,
  oldRoot: string,
  root: string,
): { path: string; version: string } | null {
  const oldPath = pathOf(place);
  const inside = relative(oldRoot, oldPath);
  const samePlace = inside.startsWith('..') ? [] : [dirnameOfPackage(join(root, inside), file)];
  const candidates = [
    ...samePlace,
    ...packageFolders(packageName, root),
    ...packageFolders(packageName, PROGRAM_FOLDER),
  ];
  for (const folder of candidates) {
    const found = packageIn(folder);
    const path = bundledModule(join(folder, file));
    if (found?.name === packageName && existsSync(path)) return { path, version: found.version };
  }
  return null;
}

/** The folder of the package whose file has this path. */
function dirnameOfPackage(path: string, file: string): string {
  return path.slice(0, path.length - file.length - 1);
}

/** Where Node looks for a package from a folder. The program is a package itself. */
function* packageFolders(name: string, from: string): Generator<string> {
  yield from;
  for (let folder = from; ; folder = dirname(folder)) {
    yield join(folder, 'node_modules', name);
    if (folder === dirname(folder)) return;
  }
}

/** Replaces the imports, and the paths of the project. In one pass, because a new place may contain an old one. */
function replacePlaces(text: string, imports: ReadonlyMap<string, string>, oldRoot: string, root: string): string {
  const places = new Map([...imports].map(([place, found]) => [asWritten(place), found]));
  const roots = new Map([
    [pathToFileURL(oldRoot).href, pathToFileURL(root).href],
    [asWritten(oldRoot), root],
  ]);
  const patterns = [
    ...[...places.keys()].toSorted((a, b) => b.length - a.length).map((place) => escape(place)),
    ...(oldRoot === root ? [] : [...roots.keys()].map((place) => `${escape(place)}(?=[/"'\`])`)),
  ];
  if (patterns.length === 0) return text;
  return text.replaceAll(
    new RegExp(patterns.join('|'), 'g'),
    (found) => places.get(found) ?? roots.get(found) ?? found,
  );
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** A path as esbuild writes it into a string: it escapes what is not ASCII. */
function asWritten(path: string): string {
  return path.replaceAll(/\P{ASCII}/gu, (char) => {
    const code = char.codePointAt(0)!;
    const digits = code.toString(16).toUpperCase();
    if (code > 0xffff) return `\\u{${digits}}`;
    return code > 0xff ? `\\u${digits.padStart(4, '0')}` : `\\x${digits}`;
  });
}

/** The comment with the source map, with URLs of the sources instead of paths relative to the bundle. */
function relocatedMap(
  comment: string,
  { folder, oldRoot, root }: Record<'folder' | 'oldRoot' | 'root', string>,
): string {
  const at = comment.indexOf('base64,') + 'base64,'.length;
  const map = JSON.parse(Buffer.from(comment.slice(at).trim(), 'base64').toString()) as { sources: string[] };
  const sources = map.sources.map((source) => {
    if (isUrl(source)) return source;
    const inside = relative(oldRoot, resolve(folder, source));
    return pathToFileURL(inside.startsWith('..') ? resolve(folder, source) : join(root, inside)).href;
  });
  const text = Buffer.from(JSON.stringify({ ...map, sources })).toString('base64');
  return `${comment.slice(0, at)}${text}\n`;
}
