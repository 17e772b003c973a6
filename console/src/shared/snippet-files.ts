import { formatBytes } from '../components/format.js';
import { rawNumber } from '../api/json.js';
import { contentFile, fileBytes, fileName } from '../schema/content-files.js';

/** Shorter files are copied whole. */
const CHARS_MAX = 2_000;

interface Shortened {
  value: unknown;
  /** Names of the files that were left out. */
  files: readonly string[];
}

/** A value with a placeholder for the base64 of each file, which is too long to read, and for a shell to pass. */
export function withoutFiles(value: unknown): Shortened {
  const files: string[] = [];
  const shorten = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null || rawNumber(part) !== null) return part;
    if (Array.isArray(part)) return part.map(shorten);
    const file = contentFile(part);
    const data = file?.data ?? '';
    if (file === null || data.length <= CHARS_MAX)
      return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, shorten(inner)]));
    // In a comment too, which a line break would end.
    const name = fileName(file).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
    const placeholder = `<base64 of ${name}, ${formatBytes(fileBytes(file) ?? 0)}>`;
    files.push(placeholder);
    return replaceData(part, data, placeholder);
  };
  return { value: shorten(value), files };
}

/** The data is a field of the block or of an object in it, on its own or at the end of a data URL. */
function replaceData(part: unknown, data: string, placeholder: string): unknown {
  if (typeof part === 'string') return part.endsWith(data) ? part.slice(0, -data.length) + placeholder : part;
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, replaceData(inner, data, placeholder)]));
}
