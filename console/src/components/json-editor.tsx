import { parseJson } from '../api/json.js';
import { TextArea } from './field.js';

/** What of a text is JSON; or where it is none, in words. An empty text is undefined. */
export function readJson(text: string): { value: unknown; error: null } | { value: undefined; error: string } {
  if (text.trim() === '') return { value: undefined, error: null };
  try {
    return { value: parseJson(text), error: null };
  } catch (error) {
    return { value: undefined, error: `This is not JSON: ${(error as Error).message}${placeIn(text, error as Error)}` };
  }
}

/** A field of JSON that says where it is wrong. */
export function JsonEditor({
  label,
  text,
  onChange,
  error,
  help,
  rows = 10,
}: {
  label: string;
  text: string;
  onChange: (text: string) => void;
  error?: string | null;
  help?: string;
  rows?: number;
}) {
  return (
    <TextArea
      label={label}
      mono
      rows={rows}
      value={text}
      onChange={onChange}
      error={readJson(text).error ?? error ?? null}
      help={help}
      spellCheck="false"
    />
  );
}

/** Browsers say the place as a count of characters, or not at all. */
function placeIn(text: string, { message }: Error): string {
  const at = /position (\d+)/.exec(message)?.[1];
  if (at === undefined || message.includes('line')) return '';
  const before = text.slice(0, Number(at)).split('\n');
  return ` (line ${before.length}, column ${before.at(-1)!.length + 1})`;
}
