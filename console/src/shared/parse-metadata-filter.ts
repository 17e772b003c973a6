import { readJson } from '../components/read-json.js';

type ParsedFilter = { value: Record<string, unknown> | null; error: null } | { value: null; error: string };

/** `name=value`. The value ends at a comma or at the next name; quoted values may contain both. */
const PAIR = /\s*([^\s=,]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^,]*?)\s*(?:,|$|(?=\s[^\s=,]+\s*=))/y;

/** Parses a filter: `team=support, tier=2` with commas or spaces between, or a JSON object. Null: no filter. */
export function parseMetadataFilter(text: string): ParsedFilter {
  const written = text.trim();
  if (written === '') return { value: null, error: null };
  if (written.startsWith('{')) {
    const { value, error } = readJson(written);
    return error === null ? { value: value as Record<string, unknown>, error } : { value: null, error };
  }
  const pairs: [string, unknown][] = [];
  for (let at = 0; at < written.length; at = PAIR.lastIndex) {
    PAIR.lastIndex = at;
    const found = PAIR.exec(written);
    if (found === null) return { value: null, error: 'Write name=value pairs, separated by commas, or a JSON object.' };
    pairs.push([found[1]!, parseScalar(found[2]!)]);
  }
  return { value: Object.fromEntries(pairs), error: null };
}

/** Parses numbers, JSON literals and quoted strings as JSON. Everything else is text. */
function parseScalar(text: string): unknown {
  const { value, error } = readJson(text);
  return error === null && value !== undefined && (typeof value !== 'object' || value === null) ? value : text;
}
