import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { Button } from '../../components/button.js';
import { CopyButton } from '../../components/copy.js';
import { ConfirmDialog, Dialog, DialogActions } from '../../components/dialog.js';
import { formatDateTime } from '../../components/format.js';
import { JsonTree } from '../../components/json-tree.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { DescriptionList } from '../../components/page.js';
import { showToast } from '../../components/toast.js';
import { reloadStore, namespaceText, useItem } from './data.js';
import { ItemForm } from './item-form.js';

/** Side panel with one item, which can be edited and deleted. */
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
  const [mode, setMode] = useState<'view' | 'edit' | 'delete'>('view');
  const showItem = (): void => setMode('view');
  return (
    <Dialog title={mode === 'edit' ? `Edit ${itemKey}` : itemKey} isOpen size="sheet" onClose={onClose}>
      {isLoading ? <Loading /> : null}
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === null ? <EmptyState title="Item not found">It was deleted or has expired.</EmptyState> : null}
      {data === null || data === undefined ? null : mode === 'edit' ? (
        <ItemForm item={data} namespace={namespace} onClose={showItem} onDone={showItem} />
      ) : (
        <>
          <DescriptionList
            facts={[
              ['Namespace', <code key="namespace">{namespaceText(data.namespace)}</code>],
              [
                'Key',
                <span key="key" className="row">
                  <code>{data.key}</code>
                  <CopyButton text={data.key} label="Copy key" />
                </span>,
              ],
              ['Created', formatDateTime(data.createdAt)],
              ['Updated', formatDateTime(data.updatedAt)],
            ]}
          />
          <JsonTree label="Value" value={data.value} openTo={2} rows={30} />
          <DialogActions>
            <Button needs="store:delete" variant="danger" onPress={() => setMode('delete')}>
              <Trash2 size={15} aria-hidden />
              Delete…
            </Button>
            <Button needs="store:update" variant="primary" onPress={() => setMode('edit')}>
              <Pencil size={15} aria-hidden />
              Edit
            </Button>
          </DialogActions>
        </>
      )}
      <ConfirmDialog
        title="Delete this item?"
        isOpen={mode === 'delete'}
        onClose={showItem}
        confirmLabel="Delete"
        onConfirm={async () => {
          await client.store.deleteItem([...namespace], itemKey);
          showToast('Item deleted.');
          onClose();
          void reloadStore();
        }}
      >
        Graphs can no longer read it. This cannot be undone.
      </ConfirmDialog>
    </Dialog>
  );
}
