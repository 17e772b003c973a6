import type { Item } from '@langchain/langgraph-sdk';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { prettyJson } from '../../api/json.js';
import { useDoing } from '../../components/doing.js';
import { Button } from '../../components/button.js';
import { DialogActions } from '../../components/dialog.js';
import { NumberField, Select, TextField } from '../../components/field.js';
import { JsonEditor } from '../../components/json-editor.js';
import { ErrorNote } from '../../components/note.js';
import { say } from '../../components/toast.js';
import { changed, labelsOf, readObject, textOf } from './data.js';
import styles from './store.module.css';

const LIVES = [
  { id: 'configured', name: 'As the server is configured' },
  { id: 'ever', name: 'For ever' },
  { id: 'minutes', name: 'Some minutes' },
];
const FOUND = [
  { id: 'configured', name: 'As the server is configured' },
  { id: 'never', name: 'Never' },
];

/** Puts an item: a new one, or another value for one that is there. */
export function ItemForm({
  item,
  namespace,
  onClose,
  onDone,
}: {
  item: Item | null;
  namespace: readonly string[];
  onClose: () => void;
  onDone: (namespace: readonly string[], key: string) => void;
}) {
  const [place, setPlace] = useState(textOf(item?.namespace ?? namespace));
  const [key, setKey] = useState(item?.key ?? '');
  const [text, setText] = useState(() => (item === null ? '' : prettyJson(item.value)));
  const [lives, setLives] = useState('configured');
  const [minutes, setMinutes] = useState<number | null>(60);
  const [found, setFound] = useState('configured');
  const { error, pending, attempt } = useDoing();
  const value = readObject(text);

  const save = async (): Promise<void> => {
    const written = value.value;
    if (written === null) return;
    await attempt(async () => {
      const labels = item?.namespace ?? labelsOf(place.trim());
      const ttl = lives === 'ever' ? null : minutes;
      await client.store.putItem(labels, key, written, {
        ...(lives === 'configured' ? {} : { ttl }),
        ...(found === 'never' ? { index: false as const } : {}),
      });
      await changed();
      say('The item is stored.');
      onClose();
      onDone(labels, key);
    });
  };

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {item === null ? (
        <div className={styles['two']}>
          <TextField
            label="Namespace"
            mono
            placeholder="users.ada"
            value={place}
            onChange={setPlace}
            help="Labels from the outermost on, a period between them."
            autoFocus
          />
          <TextField label="Key" mono value={key} onChange={setKey} />
        </div>
      ) : null}
      <JsonEditor
        label="Value"
        rows={item === null ? 10 : 18}
        text={text}
        onChange={setText}
        error={value.error}
        help="An object of JSON."
      />
      <div className={styles['two']}>
        <Select
          label="Lives"
          options={LIVES}
          value={lives}
          onChange={setLives}
          help={
            item === null
              ? undefined
              : 'Storing it starts its time anew. What was said for it before does not count any more.'
          }
        />
        {lives === 'minutes' ? <NumberField label="Minutes" min={0} value={minutes} onChange={setMinutes} /> : null}
        <Select label="Found by its meaning" options={FOUND} value={found} onChange={setFound} />
      </div>
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          isPending={pending}
          isDisabled={key === '' || value.value === null || (lives === 'minutes' && minutes === null)}
        >
          Store it
        </Button>
      </DialogActions>
    </form>
  );
}
