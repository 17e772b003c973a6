import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fetchJson, ServerError } from '../../api/http.js';
import { prettyJson } from '../../api/json.js';
import { Button } from '../../components/button.js';
import { useAsyncAction } from '../../components/async-action.js';
import { JsonEditor } from '../../components/json-editor.js';
import { readJson } from '../../components/read-json.js';
import { ErrorNote, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { showToast } from '../../components/toast.js';

/** Edits metadata. `If-Match` makes sure that only the version that was read is changed. */
export function MetadataEditor({
  threadId,
  metadata: latest,
  tag: latestTag,
}: {
  threadId: string;
  metadata: Record<string, unknown>;
  tag: string;
}) {
  const [{ metadata, tag }, setRead] = useState({ metadata: latest, tag: latestTag });
  const [text, setText] = useState(() => prettyJson(latest));
  const { error, isPending, execute, clearError } = useAsyncAction();
  const hasEdits = text !== prettyJson(metadata);
  const takeLatest = (): void => {
    setRead({ metadata: latest, tag: latestTag });
    setText(prettyJson(latest));
    clearError();
  };
  // Keep unsaved input. Saving it then reports the conflict.
  useEffect(() => {
    if (!hasEdits && tag !== latestTag) takeLatest();
  });
  const queries = useQueryClient();
  const { value, error: syntaxError } = readJson(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const changes = isObject
    ? Object.entries(value).filter(([name, one]) => JSON.stringify(one) !== JSON.stringify(metadata[name]))
    : [];
  const removedNames = isObject ? Object.keys(metadata).filter((name) => !Object.hasOwn(value, name)) : [];
  const save = (): Promise<void> =>
    execute(async () => {
      try {
        await fetchJson(`threads/${threadId}`, {
          method: 'PATCH',
          headers: { 'if-match': tag, prefer: 'return=minimal' },
          body: { metadata: Object.fromEntries(changes) },
        });
        // The saved text is the new starting point.
        setRead({ metadata: value as Record<string, unknown>, tag });
        setText(prettyJson(value));
        await queries.invalidateQueries({ queryKey: ['threads'] });
        showToast('Saved.');
      } catch (caught) {
        if (caught instanceof ServerError && caught.status === 412)
          await queries.invalidateQueries({ queryKey: ['threads', threadId] });
        throw caught;
      }
    });
  return (
    <Panel
      title="Metadata"
      actions={
        <Button
          small
          variant="primary"
          needs="threads:update"
          isPending={isPending}
          isDisabled={isPending || changes.length === 0}
          onPress={() => void save()}
        >
          Save
        </Button>
      }
    >
      <JsonEditor
        label="Metadata as JSON"
        rows={Math.min(24, Math.max(8, text.split('\n').length + 1))}
        text={text}
        onChange={setText}
        error={syntaxError === null && !isObject ? 'Metadata must be a JSON object.' : null}
      />
      {removedNames.length === 0 ? null : (
        <Note variant="warn">
          Metadata is merged, so removing <bdi dir="auto">{removedNames.slice(0, 5).join(', ')}</bdi> has no effect. Set
          the value to null instead.
        </Note>
      )}
      {error === null ? null : <ErrorNote error={error} />}
      {error instanceof ServerError && error.status === 412 ? (
        <div className="row">
          <Button small onPress={takeLatest}>
            Load current version
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}
