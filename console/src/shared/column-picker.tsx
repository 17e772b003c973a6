import { Columns3, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../components/button.js';
import { Checkbox, TextField } from '../components/field.js';
import { PopoverButton } from '../components/popover-button.js';
import { isMetadataColumn, metadataColumn, metadataKey, METADATA_COLUMNS_MAX } from './column-choice.js';
import styles from './column-picker.module.css';

/** Lets the person choose the columns of a table, also of keys of the metadata. */
export function ColumnPicker({
  options,
  shown,
  onChange,
  onReset,
}: {
  options: readonly { id: string; name: string }[];
  shown: readonly string[];
  onChange: (shown: readonly string[]) => void;
  onReset: () => void;
}) {
  const [key, setKey] = useState('');
  const metadata = shown.filter(isMetadataColumn);
  const added = metadataColumn(key.trim());
  const isFull = metadata.length >= METADATA_COLUMNS_MAX;
  const add = (): void => {
    if (key.trim() === '' || shown.includes(added) || isFull) return;
    onChange([...shown, added]);
    setKey('');
  };
  return (
    <PopoverButton
      label="Columns"
      button={
        <>
          <Columns3 size={14} aria-hidden />
          Columns
        </>
      }
    >
      {options.map(({ id, name }) => (
        <Checkbox
          key={id}
          value={shown.includes(id)}
          onChange={(on) => onChange(on ? [...shown, id] : shown.filter((one) => one !== id))}
        >
          {name}
        </Checkbox>
      ))}
      {metadata.map((id) => (
        <span key={id} className={styles['key']}>
          <code dir="auto">{metadataKey(id)}</code>
          <IconButton
            small
            label={`Remove column ${metadataKey(id)}`}
            onPress={() => onChange(shown.filter((one) => one !== id))}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </span>
      ))}
      <form
        className={styles['add']}
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField
          label="Column of metadata"
          placeholder="team"
          mono
          value={key}
          onChange={setKey}
          help={isFull ? `At most ${METADATA_COLUMNS_MAX} such columns.` : undefined}
        />
        <Button type="submit" isDisabled={key.trim() === '' || shown.includes(added) || isFull}>
          <Plus size={14} aria-hidden />
          Add
        </Button>
      </form>
      <span>
        <Button small variant="quiet" onPress={onReset}>
          Reset columns
        </Button>
      </span>
    </PopoverButton>
  );
}
