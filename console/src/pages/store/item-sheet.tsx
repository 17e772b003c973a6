import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { Button } from '../../components/button.js';
import { CopyButton } from '../../components/copy.js';
import { Confirm, Dialog, DialogActions } from '../../components/dialog.js';
import { wholeTime } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { Empty, ErrorNote, Loading } from '../../components/note.js';
import { Facts } from '../../components/page.js';
import { say } from '../../components/toast.js';
import { changed, textOf, useItem } from './data.js';
import { ItemForm } from './item-form.js';

/** One item beside the list: what it holds, and its change. */
export function ItemSheet({
  namespace,
  itemKey,
  onClose,
}: {
  namespace: readonly string[];
  itemKey: string;
  onClose: () => void;
}) {
  const { data, error, isLoading, refetch } = useItem(namespace, itemKey);
  const [mode, setMode] = useState<'see' | 'edit' | 'delete'>('see');
  const see = (): void => setMode('see');
  return (
    <Dialog title={mode === 'edit' ? `Edit ${itemKey}` : itemKey} isOpen size="sheet" onClose={onClose}>
      {isLoading ? <Loading /> : null}
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === null ? <Empty title="There is no such item.">It was deleted, or its time is over.</Empty> : null}
      {data === null || data === undefined ? null : mode === 'edit' ? (
        <ItemForm item={data} namespace={namespace} onClose={see} onDone={see} />
      ) : (
        <>
          <Facts
            facts={[
              ['Namespace', <code key="namespace">{textOf(data.namespace)}</code>],
              [
                'Key',
                <span key="key" className="row">
                  <code>{data.key}</code>
                  <CopyButton text={data.key} label="Copy the key" />
                </span>,
              ],
              ['Made', wholeTime(data.createdAt)],
              ['Changed', wholeTime(data.updatedAt)],
            ]}
          />
          <JsonTree label="Value" value={data.value} openTo={2} rows={30} />
          <DialogActions>
            <Button look="danger" onPress={() => setMode('delete')}>
              <Trash2 size={15} aria-hidden />
              Delete…
            </Button>
            <Button look="primary" onPress={() => setMode('edit')}>
              <Pencil size={15} aria-hidden />
              Edit
            </Button>
          </DialogActions>
        </>
      )}
      <Confirm
        title="Delete this item?"
        isOpen={mode === 'delete'}
        onClose={see}
        verb="Delete"
        onConfirm={async () => {
          await client.store.deleteItem([...namespace], itemKey);
          say('The item is deleted.');
          onClose();
          void changed();
        }}
      >
        Graphs will not find it any more.
      </Confirm>
    </Dialog>
  );
}
