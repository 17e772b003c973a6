import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { FileUp } from 'lucide-react';
import { evaluation, type Dataset } from '../../api/evaluation.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { Select } from '../../components/field.js';
import { pluralize } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import { showToast } from '../../components/toast.js';
import { guessUse, readTableFile, type ColumnUse, type TableFile } from './table-file.js';
import styles from './examples-tab.module.css';

const USES: readonly { id: ColumnUse; name: string }[] = [
  { id: 'inputs', name: 'Inputs' },
  { id: 'outputs', name: 'Reference outputs' },
  { id: 'metadata', name: 'Metadata' },
  { id: 'ignore', name: 'Ignore' },
];

const KEYS: Readonly<Record<Exclude<ColumnUse, 'ignore'>, string>> = {
  inputs: 'input_keys',
  outputs: 'output_keys',
  metadata: 'metadata_keys',
};

/** Asks for a CSV or JSON lines file, and what its columns are. */
export function ImportDialog({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const client = useQueryClient();
  const [table, setTable] = useState<TableFile | null>(null);
  const [uses, setUses] = useState<Readonly<Record<string, ColumnUse>>>({});
  const { error, isPending, execute } = useAsyncAction();
  const heading = useId();
  const columns = table?.columns ?? null;
  const isReady = table !== null && (columns === null || columns.some((name) => uses[name] === 'inputs'));
  const choose = (file: File): Promise<void> =>
    execute(async () => {
      setTable(null);
      const read = await readTableFile(file);
      setUses(Object.fromEntries((read.columns ?? []).map((name) => [name, guessUse(name)])));
      setTable(read);
    });
  const send = (): Promise<void> =>
    execute(async () => {
      const form = new FormData();
      form.append('file', table!.file, table!.file.name);
      for (const name of columns ?? []) {
        const use = uses[name] ?? 'ignore';
        if (use !== 'ignore') form.append(KEYS[use], name);
      }
      const { count } = await evaluation.importFile(dataset.id, form);
      await client.invalidateQueries({ queryKey: ['datasets'] });
      showToast(`${pluralize(count, 'example is', 'examples are')} imported.`);
      onClose();
    });
  return (
    <Dialog title="Import examples from a file" isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void send();
        }}
      >
        <div className="row">
          <FileTrigger
            acceptedFileTypes={['.csv', '.jsonl', '.ndjson', '.json', 'text/csv']}
            onSelect={(files) => {
              const [file] = files ?? [];
              if (file !== undefined) void choose(file);
            }}
          >
            <Button>
              <FileUp size={15} aria-hidden />
              {table === null ? 'Choose a file' : 'Choose another file'}
            </Button>
          </FileTrigger>
          <span className="soft" dir="auto">
            {table === null ? 'CSV, or JSON lines with inputs and outputs' : table.file.name}
          </span>
        </div>
        {columns === null ? null : (
          <fieldset className={styles['columns']} aria-labelledby={heading}>
            <h3 id={heading}>What the columns are</h3>
            {columns.map((name) => (
              <div key={name} className={styles['column']}>
                <span dir="auto">{name}</span>
                <Select
                  label={`Use of ${name}`}
                  hideLabel
                  options={USES}
                  value={uses[name] ?? 'ignore'}
                  onChange={(use) => setUses({ ...uses, [name]: use as ColumnUse })}
                />
              </div>
            ))}
          </fieldset>
        )}
        {table !== null && columns === null ? (
          <p className="soft">
            {table.isLines
              ? 'Each line is an example. All of them are added, or none.'
              : 'The file is an export: its columns say what they are.'}
          </p>
        ) : null}
        {error === null ? null : <ErrorNote error={error} />}
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
            Import
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
