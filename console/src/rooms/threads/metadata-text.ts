import { readJson } from '../../kit/json-editor.js';

type Read = { value: Record<string, unknown> | null; error: null } | { value: null; error: string };

/** Metadata as people type it: `team=support, tier=2`, or a JSON object. Null: nothing is asked. */
export function readMetadata(text: string): Read {
  const trimmed = text.trim();
  if (trimmed === '') return { value: null, error: null };
  if (trimmed.startsWith('{')) {
    const { value, error } = readJson(trimmed);
    return error === null ? { value: value as Record<string, unknown>, error } : { value: null, error };
  }
  const pairs: [string, unknown][] = [];
  for (const pair of trimmed.split(',')) {
    const at = pair.indexOf('=');
    if (at < 1) return { value: null, error: 'Write name=value, more of them with commas between, or a JSON object.' };
    pairs.push([pair.slice(0, at).trim(), scalarOf(pair.slice(at + 1).trim())]);
  }
  return { value: Object.fromEntries(pairs), error: null };
}

/** Numbers, words of JSON and texts in quotes are what JSON says; all else is a text. */
function scalarOf(text: string): unknown {
  const { value, error } = readJson(text);
  return error === null && value !== undefined && (typeof value !== 'object' || value === null) ? value : text;
}
