import { TextField } from '../components/field.js';
import { readJson } from '../components/json-editor.js';
import { usePaused } from '../components/paused.js';

type Read = { value: Record<string, unknown> | null; error: null } | { value: null; error: string };

/** A name, and its value up to a comma or the next name; in quotes it may hold both. */
const PAIR = /\s*([^\s=,]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^,]*?)\s*(?:,|$|(?=\s[^\s=,]+\s*=))/y;

/** Metadata as people type it: `team=support, tier=2`, with commas or spaces between, or a JSON object. Null: nothing is asked. */
export function readMetadata(text: string): Read {
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
    if (found === null)
      return { value: null, error: 'Write name=value, more of them with commas between, or a JSON object.' };
    pairs.push([found[1]!, scalarOf(found[2]!)]);
  }
  return { value: Object.fromEntries(pairs), error: null };
}

/** Numbers, words of JSON and texts in quotes are what JSON says; all else is a text. */
function scalarOf(text: string): unknown {
  const { value, error } = readJson(text);
  return error === null && value !== undefined && (typeof value !== 'object' || value === null) ? value : text;
}

/** What is looked for in metadata; it says itself what is wrong with it. */
export function MetadataField({
  text,
  onText,
  quiet = false,
}: {
  text: string;
  onText: (text: string) => void;
  quiet?: boolean;
}) {
  const typed = usePaused(text, onText);
  return (
    <TextField
      label="Metadata"
      quiet={quiet}
      placeholder={`${quiet ? 'Metadata: ' : ''}team=support, tier=2`}
      value={typed.text}
      onChange={typed.setText}
      onKeyDown={({ key }) => {
        if (key === 'Enter') typed.now();
      }}
      error={readMetadata(typed.text).error}
    />
  );
}
