import { Play, SlidersHorizontal } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { Button } from '../../components/button.js';
import { useDoing } from '../../components/doing.js';
import { ErrorNote, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { placeOf, type JsonSchema } from '../../schema/model.js';
import { SchemaForm, type FormState } from '../../schema/schema-form.js';
import styles from './run-room.module.css';

/** The input of the next run. Enter starts from a single message, Ctrl and Enter from anywhere. */
export function RunInput({
  schema,
  value,
  onChange,
  changed,
  onOptions,
  onStart,
  chat,
  autoFocus,
}: {
  schema: JsonSchema;
  value: unknown;
  onChange: (value: unknown) => void;
  changed: number;
  onOptions: () => void;
  onStart: () => Promise<void>;
  chat: boolean;
  autoFocus: boolean;
}) {
  const [state, setState] = useState<FormState>({ broken: null, problems: [] });
  // What was wrong when somebody last tried, so that a second try sends it all the same.
  const [tried, setTried] = useState<string | null>(null);
  const { error, pending, attempt, forget } = useDoing();
  const problems = state.problems.map(({ path, message }) => `${placeOf(path)} ${message}`).join('; ');
  const start = async (): Promise<void> => {
    if (pending) return;
    forget();
    if (state.broken !== null || (problems !== '' && tried !== problems)) return setTried(problems);
    await attempt(async () => {
      await onStart();
      setTried(null);
    });
    return undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    const { target } = event;
    const single =
      target instanceof HTMLTextAreaElement &&
      target.closest('[data-one-message]') !== null &&
      !event.shiftKey &&
      !event.altKey;
    if (!single && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    void start();
  };
  return (
    <Panel title={chat ? 'Next message' : 'Input'}>
      <form
        noValidate
        className="stack"
        onKeyDownCapture={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <SchemaForm
          label="Input"
          schema={schema}
          value={value}
          onChange={onChange}
          onState={setState}
          strict={tried !== null}
          autoFocus={autoFocus}
        />
        {tried === null ? null : state.broken !== null ? (
          <ErrorNote error={`There is nothing to send yet. ${state.broken}`} />
        ) : problems === '' ? null : (
          <Note look="warn">
            <span dir="auto">
              This does not fit the schema: {problems}. Starting once more sends it all the same; the server has the
              last word.
            </span>
          </Note>
        )}
        {error === null ? null : <ErrorNote error={error} />}
        <div className={styles['startLine']}>
          <Button type="submit" look="primary" isPending={pending}>
            <Play size={15} aria-hidden />
            {tried !== null && state.broken === null && problems !== '' ? 'Start all the same' : 'Start'}
          </Button>
          <Button onPress={onOptions}>
            <SlidersHorizontal size={15} aria-hidden />
            Options{changed === 0 ? '' : ` (${changed} changed)`}
          </Button>
          <span className={`soft ${styles['keys']}`}>Ctrl and Enter starts</span>
        </div>
      </form>
    </Panel>
  );
}
