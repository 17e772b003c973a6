import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask, ServerError } from '../../api/http.js';
import { prettyJson } from '../../api/json.js';
import { Button } from '../../components/button.js';
import { useDoing } from '../../components/doing.js';
import { JsonEditor, readJson } from '../../components/json-editor.js';
import { ErrorNote, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { say } from '../../components/toast.js';

/** Changes metadata of the version that was read, and of no other. */
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
  const { error, pending, attempt, forget } = useDoing();
  const touched = text !== prettyJson(metadata);
  const takeLatest = (): void => {
    setRead({ metadata: latest, tag: latestTag });
    setText(prettyJson(latest));
    forget();
  };
  // What is being typed is not taken away; saving it then says that somebody else was there.
  useEffect(() => {
    if (!touched && tag !== latestTag) takeLatest();
  });
  const queries = useQueryClient();
  const { value, error: wrong } = readJson(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const changes = isObject
    ? Object.entries(value).filter(([name, one]) => JSON.stringify(one) !== JSON.stringify(metadata[name]))
    : [];
  const gone = isObject ? Object.keys(metadata).filter((name) => !Object.hasOwn(value, name)) : [];
  const save = (): Promise<void> =>
    attempt(async () => {
      try {
        await ask(`threads/${threadId}`, {
          method: 'PATCH',
          headers: { 'if-match': tag, prefer: 'return=minimal' },
          body: { metadata: Object.fromEntries(changes) },
        });
        // What was saved is what stands there now.
        setRead({ metadata: value as Record<string, unknown>, tag });
        setText(prettyJson(value));
        await queries.invalidateQueries({ queryKey: ['threads'] });
        say('Saved.');
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
          look="primary"
          isPending={pending}
          isDisabled={pending || changes.length === 0}
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
        error={wrong === null && !isObject ? 'Metadata is a JSON object.' : null}
      />
      {gone.length === 0 ? null : (
        <Note look="warn">
          Metadata is merged, so <bdi dir="auto">{gone.slice(0, 5).join(', ')}</bdi> stays as it is. Set it to null
          instead.
        </Note>
      )}
      {error === null ? null : <ErrorNote error={error} />}
      {error instanceof ServerError && error.status === 412 ? (
        <div className="row">
          <Button small onPress={takeLatest}>
            Show it as it is now
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}
