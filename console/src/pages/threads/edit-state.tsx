import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.js';
import { ask } from '../../api/http.js';
import { prettyJson } from '../../api/json.js';
import { useDoing } from '../../components/doing.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { Select } from '../../components/field.js';
import { JsonEditor, readJson } from '../../components/json-editor.js';
import { ErrorNote, Note } from '../../components/note.js';
import { say } from '../../components/toast.js';
import { assistantOf, type Checkpoint, type ThreadHead } from './thread-data.js';

const LAST = 'last';

/** Changes the state as a node of the graph would. From an older checkpoint that makes a fork. */
export function EditState({
  thread,
  values,
  checkpoint,
  onClose,
}: {
  thread: ThreadHead;
  values: unknown;
  checkpoint: Checkpoint | null;
  onClose: () => void;
}) {
  const [text, setText] = useState('{}');
  const [node, setNode] = useState(LAST);
  const { error, pending, attempt } = useDoing();
  const queries = useQueryClient();
  const nodes = useNodes(thread);
  const read = readJson(text);
  const apply = (): Promise<void> =>
    attempt(async () => {
      const from =
        checkpoint === null
          ? {}
          : { checkpoint: { checkpoint_id: checkpoint.checkpoint_id, checkpoint_ns: checkpoint.checkpoint_ns } };
      await ask(`threads/${thread.thread_id}/state`, {
        method: 'POST',
        body: { values: read.value ?? null, ...(node === LAST ? {} : { as_node: node }), ...from },
      });
      await queries.invalidateQueries({ queryKey: ['threads', thread.thread_id] });
      say('The state is changed.');
      onClose();
    });
  const names = typeof values === 'object' && values !== null && !Array.isArray(values) ? Object.keys(values) : [];
  const takeIn = (name: string): void =>
    setText(prettyJson({ ...(read.value as object | undefined), [name]: (values as Record<string, unknown>)[name] }));
  return (
    <Dialog title={checkpoint === null ? 'Edit state' : 'Edit the state here'} isOpen size="wide" onClose={onClose}>
      {checkpoint === null ? null : (
        <Note>
          What comes after this checkpoint stays in the history. The change begins a fork, and the thread goes on from
          there.
        </Note>
      )}
      <Select
        label="As node"
        help="The edges after it decide what comes next."
        options={[{ id: LAST, name: 'The node that wrote last' }, ...nodes.map((id) => ({ id, name: id }))]}
        value={node}
        onChange={setNode}
      />
      <JsonEditor
        label="Values"
        rows={14}
        text={text}
        onChange={setText}
        help="What the node would have returned. The graph's reducers take it in: a list of messages is added to those that are there, one with the same id is replaced."
      />
      {names.length === 0 ? null : (
        <Select
          label="Take in what is there now"
          options={names.map((id) => ({ id, name: id }))}
          value={null}
          isDisabled={
            read.error !== null || (read.value !== undefined && (typeof read.value !== 'object' || read.value === null))
          }
          onChange={takeIn}
        />
      )}
      {error === null ? null : <ErrorNote error={error} />}
      <DialogActions>
        <Button onPress={onClose}>Leave it</Button>
        <Button
          look="primary"
          isPending={pending}
          isDisabled={pending || read.error !== null}
          onPress={() => void apply()}
        >
          Apply
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Names of the graph's nodes; of an assistant that is gone none is known, and the server is asked with what was typed. */
function useNodes(thread: ThreadHead): readonly string[] {
  const assistant = assistantOf(thread);
  const { data } = useQuery({
    queryKey: ['threads', 'nodes', assistant],
    queryFn: async () =>
      (await client.assistants.getGraph(assistant!)).nodes.map(({ id }) => String(id)).filter((id) => id !== '__end__'),
    enabled: assistant !== null,
    staleTime: 60_000,
  });
  return data ?? [];
}
