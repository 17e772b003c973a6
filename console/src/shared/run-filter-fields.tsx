import { TextField } from '../components/field.js';

interface RunFilters {
  filter: string;
  treeFilter: string;
}

/** Conditions on a run, and on any step of its trace. `example`: a condition on a run. */
export function RunFilterFields({
  filters: { filter, treeFilter },
  example,
  onChange,
}: {
  filters: RunFilters;
  example: string;
  onChange: (changes: Partial<RunFilters>) => void;
}) {
  return (
    <>
      <TextField
        label="Only those that match"
        mono
        placeholder={example}
        value={filter}
        onChange={(changed) => onChange({ filter: changed })}
      />
      <TextField
        label="Only in traces with a step that matches"
        mono
        placeholder={'search("refund")'}
        value={treeFilter}
        onChange={(changed) => onChange({ treeFilter: changed })}
      />
    </>
  );
}
