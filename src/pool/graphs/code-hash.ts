import { createHash } from 'node:crypto';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageOf } from './package-of.js';

export const SOURCE_MAP = /\n\/\/# sourceMappingURL=\S*\s*$/;
const PACKAGES = /(?:file:\/\/)?\/[^"'`\n]*\/node_modules\//g;

/**
 * Hash of a bundle that is the same on every machine with the same code and the same versions of its packages, wherever
 * they are installed. `externals`: what the bundle imports.
 */
export function codeHash(code: Uint8Array, root: string, externals: readonly string[]): string {
  const text = Buffer.from(code)
    .toString()
    .replace(SOURCE_MAP, '')
    .replaceAll(PACKAGES, 'node_modules/')
    .replaceAll(pathToFileURL(root).href, 'file:')
    .replaceAll(root, '');
  const versions = externals.filter((path) => path.startsWith('file:')).map((url) => versionAt(fileURLToPath(url)));
  return createHash('sha256')
    .update(JSON.stringify([text, [...new Set(versions)].toSorted()]))
    .digest('hex');
}

/** Name and version of the package that a file belongs to. */
function versionAt(file: string): string {
  const found = packageOf(file);
  return found === null ? '' : `${found.name}@${found.version}`;
}
