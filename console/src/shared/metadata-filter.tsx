import { TextField } from '../components/field.js';
import { useDebouncedValue } from '../components/debounced-search.js';
import { parseMetadataFilter } from './parse-metadata-filter.js';

/** Metadata filter with its own validation message. */
export function MetadataField({
  text,
  onText,
  hideLabel = false,
}: {
  text: string;
  onText: (text: string) => void;
  hideLabel?: boolean;
}) {
  const typed = useDebouncedValue(text, onText);
  return (
    <TextField
      label="Metadata"
      hideLabel={hideLabel}
      placeholder={`${hideLabel ? 'Metadata: ' : ''}team=support, tier=2`}
      value={typed.text}
      onChange={typed.setText}
      onKeyDown={({ key }) => {
        if (key === 'Enter') typed.flush();
      }}
      error={parseMetadataFilter(typed.text).error}
    />
  );
}
