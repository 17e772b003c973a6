import type { Item } from '@langchain/langgraph-sdk';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { prettyJson } from '../../api/json.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { DialogActions } from '../../components/dialog.js';
import { NumberField, Select, TextField } from '../../components/field.js';
import { JsonEditor } from '../../components/json-editor.js';
import { ErrorNote } from '../../components/note.js';
import { showToast } from '../../components/toast.js';
import { reloadStore, parseNamespace, parseObject, namespaceText } from './data.js';
import styles from './store.module.css';

const TTL_OPTIONS = [
  { id: 'configured', name: 'Server default' },
  { id: 'ever', name: 'Never expires' },
  { id: 'minutes', name: 'Expires after minutes' },
];
const INDEX_OPTIONS = [
  { id: 'configured', name: 'Server default' },
  { id: 'never', name: 'Not indexed' },
];

/** Creates an item, or replaces the value of one. */
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
  const [namespaceInput, setNamespaceInput] = useState(namespaceText(item?.namespace ?? namespace));
  const [key, setKey] = useState(item?.key ?? '');
  const [text, setText] = useState(() => (item === null ? '' : prettyJson(item.value)));
  const [ttlMode, setTtlMode] = useState('configured');
  const [minutes, setMinutes] = useState<number | null>(60);
  const [indexMode, setIndexMode] = useState('configured');
  const { error, isPending, execute } = useAsyncAction();
  const value = parseObject(text);

  const save = async (): Promise<void> => {
    const written = value.value;
    if (written === null) return;
    await execute(async () => {
      const labels = item?.namespace ?? parseNamespace(namespaceInput.trim());
      const ttl = ttlMode === 'ever' ? null : minutes;
      await client.store.putItem(labels, key, written, {
        ...(ttlMode === 'configured' ? {} : { ttl }),
        ...(indexMode === 'never' ? { index: false as const } : {}),
      });
      await reloadStore();
      showToast('Item saved.');
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
            value={namespaceInput}
            onChange={setNamespaceInput}
            help="Labels separated by periods, outermost first."
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
        help="JSON object."
      />
      <div className={styles['two']}>
        <Select
          label="Time to live"
          options={TTL_OPTIONS}
          value={ttlMode}
          onChange={setTtlMode}
          help={item === null ? undefined : 'Saving restarts the time to live and replaces its earlier setting.'}
        />
        {ttlMode === 'minutes' ? <NumberField label="Minutes" min={0} value={minutes} onChange={setMinutes} /> : null}
        <Select label="Semantic search" options={INDEX_OPTIONS} value={indexMode} onChange={setIndexMode} />
      </div>
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          isPending={isPending}
          isDisabled={key === '' || value.value === null || (ttlMode === 'minutes' && minutes === null)}
        >
          Save
        </Button>
      </DialogActions>
    </form>
  );
}
