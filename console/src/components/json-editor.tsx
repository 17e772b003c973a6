import { TextArea } from './field.js';
import { readJson } from './read-json.js';

/** A JSON field that shows the position of a syntax error. */
export function JsonEditor({
  label,
  text,
  onChange,
  error,
  help,
  rows = 10,
  autoFocus = false,
}: {
  label: string;
  text: string;
  onChange: (text: string) => void;
  error?: string | null;
  help?: string;
  rows?: number;
  autoFocus?: boolean;
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
      autoFocus={autoFocus}
    />
  );
}
