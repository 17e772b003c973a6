import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { fetchJson } from '../../api/http.js';
import { prettyJson } from '../../api/json.js';
import { useAsyncAction } from '../../components/async-action.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { Select } from '../../components/field.js';
import { JsonEditor } from '../../components/json-editor.js';
import { readJson } from '../../components/read-json.js';
import { ErrorNote, Note } from '../../components/note.js';
import { showToast } from '../../components/toast.js';
import { assistantIdOf, type Checkpoint, type ThreadSummary } from './thread-data.js';

const LAST_WRITER = 'last';

/** Updates the state on behalf of a node. An update of an older checkpoint creates a fork. */
export function EditState({
  thread,
  values,
  checkpoint,
  onClose,
}: {
  thread: ThreadSummary;
  values: unknown;
  checkpoint: Checkpoint | null;
  onClose: () => void;
}) {
  const [text, setText] = useState('{}');
  const [node, setNode] = useState(LAST_WRITER);
  const { error, isPending, execute } = useAsyncAction();
  const queries = useQueryClient();
  const nodes = useNodes(thread);
  const read = readJson(text);
  const apply = (): Promise<void> =>
    execute(async () => {
      const from =
        checkpoint === null
          ? {}
          : { checkpoint: { checkpoint_id: checkpoint.checkpoint_id, checkpoint_ns: checkpoint.checkpoint_ns } };
      await fetchJson(`threads/${thread.thread_id}/state`, {
        method: 'POST',
        body: { values: read.value ?? null, ...(node === LAST_WRITER ? {} : { as_node: node }), ...from },
      });
      await queries.invalidateQueries({ queryKey: ['threads', thread.thread_id] });
      showToast('State updated.');
      onClose();
    });
  const names = typeof values === 'object' && values !== null && !Array.isArray(values) ? Object.keys(values) : [];
  const insertCurrentValue = (name: string): void =>
    setText(prettyJson({ ...(read.value as object | undefined), [name]: (values as Record<string, unknown>)[name] }));
  return (
    <Dialog
      title={checkpoint === null ? 'Edit state' : 'Edit state at this checkpoint'}
      isOpen
      size="wide"
      onClose={onClose}
    >
      {checkpoint === null ? null : (
        <Note>
          This creates a fork: the thread continues from the edited state. Later checkpoints stay in the history.
        </Note>
      )}
      <Select
        label="As node"
        help="The outgoing edges of this node determine the next nodes."
        options={[{ id: LAST_WRITER, name: 'Last node that wrote' }, ...nodes.map((id) => ({ id, name: id }))]}
        value={node}
        onChange={setNode}
      />
      <JsonEditor
        label="Values"
        rows={14}
        text={text}
        onChange={setText}
        help="The return value of the node. Reducers apply to it: messages are appended, or replaced if the id exists."
      />
      {names.length === 0 ? null : (
        <Select
          label="Insert current value"
          options={names.map((id) => ({ id, name: id }))}
          value={null}
          isDisabled={
            read.error !== null || (read.value !== undefined && (typeof read.value !== 'object' || read.value === null))
          }
          onChange={insertCurrentValue}
        />
      )}
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="primary"
          isPending={isPending}
          isDisabled={isPending || read.error !== null}
          onPress={() => void apply()}
        >
          Save
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Names of the graph's nodes. Empty if the assistant was deleted. */
function useNodes(thread: ThreadSummary): readonly string[] {
  const assistant = assistantIdOf(thread);
  const { data } = useQuery({
    queryKey: ['threads', 'nodes', assistant],
    queryFn: async () =>
      (await client.assistants.getGraph(assistant!)).nodes.map(({ id }) => String(id)).filter((id) => id !== '__end__'),
    enabled: assistant !== null,
    staleTime: 60_000,
  });
  return data ?? [];
}
