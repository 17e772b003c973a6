import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { buildBinary } from '../../packaging/build.js';
import { ROOT } from '../helpers/server.js';

const CACHE = join(ROOT, 'node_modules', '.cache', 'threadmill');
/** What is kept: it is over a hundred megabytes each. */
const KEPT = 2;

/** The single executable of these very sources, built once for as long as none of them changes. */
export async function builtBinary(): Promise<string> {
  const folder = join(CACHE, fingerprint());
  const file = join(folder, 'threadmill');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    await buildBinary(file);
  }
  utimesSync(folder, new Date(), new Date());
  const older = readdirSync(CACHE)
    .map((name) => join(CACHE, name))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const one of older.slice(KEPT)) rmSync(one, { recursive: true, force: true });
  return file;
}

function fingerprint(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of [
    'LICENSE',
    'package.json',
    'package-lock.json',
    ...[
      'dist/src',
      'dist/workers',
      'dist/schemas',
      'dist/packaging',
      'dist/static',
      'examples',
      'packaging/licences',
    ].flatMap(filesBelow),
  ]) {
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest('hex').slice(0, 32);
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('.map') && statSync(join(ROOT, folder, name)).isFile())
    .toSorted()
    .map((name) => join(folder, name));
}
