import type { Item } from '@langchain/langgraph-sdk';
import { useMemo, useState } from 'react';
import { client } from '../../api/client.js';
import { errorAt, errorsIn, fieldErrors } from '../../api/http.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { DialogActions } from '../../components/dialog.js';
import { Select, TextField } from '../../components/field.js';
import { NumberField } from '../../components/number-field.js';
import { ErrorNote } from '../../components/note.js';
import { showToast } from '../../components/toast.js';
import { inferObjectSchema } from '../../schema/infer.js';
import { SchemaForm } from '../../schema/schema-form.js';
import { reloadStore, parseNamespace, namespaceText } from './data.js';
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
type Value = Readonly<Record<string, unknown>>;

/** Creates an item, or replaces the value of one. `neighbors`: values whose fields a new item is offered. */
export function ItemForm({
  item,
  namespace,
  neighbors = [],
  onClose,
  onDone,
}: {
  item: Item | null;
  namespace: readonly string[];
  neighbors?: readonly Value[];
  onClose: () => void;
  onDone: (namespace: readonly string[], key: string) => void;
}) {
  const [namespaceInput, setNamespaceInput] = useState(namespaceText(item?.namespace ?? namespace));
  const [key, setKey] = useState(item?.key ?? '');
  const [value, setValue] = useState<unknown>(item?.value ?? {});
  const [broken, setBroken] = useState<string | null>(null);
  // The fields stay the same while the value is edited.
  const [examples] = useState<readonly Value[]>(item === null ? neighbors : [item.value]);
  const schema = useMemo(() => inferObjectSchema(examples), [examples]);
  const [ttlMode, setTtlMode] = useState('configured');
  const [minutes, setMinutes] = useState<number | null>(60);
  const [indexMode, setIndexMode] = useState('configured');
  const { error, isPending, execute, clearError } = useAsyncAction();
  const errors = fieldErrors(error);
  const isReady = key !== '' && broken === null && isObject(value) && (ttlMode !== 'minutes' || minutes !== null);

  const save = async (): Promise<void> => {
    if (!isReady) return;
    await execute(async () => {
      const labels = item?.namespace ?? parseNamespace(namespaceInput.trim());
      const ttl = ttlMode === 'ever' ? null : minutes;
      await client.store.putItem(labels, key, value, {
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
      noValidate
      className="stack"
      onChange={clearError}
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
            error={errorAt(errors, 'namespace')}
            help="Labels separated by periods, outermost first."
            autoFocus
          />
          <TextField label="Key" mono value={key} onChange={setKey} error={errorAt(errors, 'key')} />
        </div>
      ) : null}
      <SchemaForm
        label="Value"
        heading="Value"
        schema={schema}
        marksOptional={false}
        value={value}
        onChange={setValue}
        onState={(state) => setBroken(state.broken)}
        serverErrors={errorsIn(errors, 'value')}
        {...(item === null && examples.length > 0 ? { help: 'With the fields of other items in this namespace.' } : {})}
      />
      {broken === null && !isObject(value) ? (
        <ErrorNote error={'Enter a JSON object, for example {"name": "value"}.'} />
      ) : null}
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
        <Button type="submit" variant="primary" isPending={isPending} isDisabled={!isReady}>
          Save
        </Button>
      </DialogActions>
    </form>
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
