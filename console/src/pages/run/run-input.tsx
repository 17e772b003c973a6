import { MessageSquare, Play } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { Button } from '../../components/button.js';
import { useAsyncAction } from '../../components/async-action.js';
import { ErrorNote, Note } from '../../components/note.js';
import { pathText, type JsonSchema } from '../../schema/model.js';
import { SchemaForm, type FormState } from '../../schema/schema-form.js';
import styles from './run-page.module.css';

/** The whole input of the next run. Enter starts it from a single message field, Ctrl+Enter from any field. */
export function RunInput({
  schema,
  value,
  onChange,
  onStart,
  onOnlyMessage,
  autoFocus,
}: {
  schema: JsonSchema;
  value: unknown;
  onChange: (value: unknown) => void;
  onStart: () => Promise<void>;
  /** Shows the composer in place of the form; null if the input is more than a message. */
  onOnlyMessage: (() => void) | null;
  autoFocus: boolean;
}) {
  const [state, setState] = useState<FormState>({ broken: null, problems: [] });
  // Problems at the last attempt. A second attempt with the same problems sends the input anyway.
  const [attemptedProblems, setAttemptedProblems] = useState<string | null>(null);
  const { error, isPending, execute, clearError } = useAsyncAction();
  const problems = state.problems.map(({ path, message }) => `${pathText(path)} ${message}`).join('; ');
  const start = async (): Promise<void> => {
    if (isPending) return;
    clearError();
    if (state.broken !== null || (problems !== '' && attemptedProblems !== problems))
      return setAttemptedProblems(problems);
    await execute(async () => {
      await onStart();
      setAttemptedProblems(null);
    });
    return undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    const { target } = event;
    const isSingleMessage =
      target instanceof HTMLTextAreaElement &&
      target.closest('[data-one-message]') !== null &&
      !event.shiftKey &&
      !event.altKey;
    if (!isSingleMessage && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    void start();
  };
  return (
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
        strict={attemptedProblems !== null}
        autoFocus={autoFocus}
      />
      {attemptedProblems === null ? null : state.broken !== null ? (
        <ErrorNote error={`The input is invalid. ${state.broken}`} />
      ) : problems === '' ? null : (
        <Note variant="warn">
          <span dir="auto">
            This does not match the schema: {problems}. You can start the run anyway; the server then decides.
          </span>
        </Note>
      )}
      {error === null ? null : <ErrorNote error={error} />}
      <div className={styles['startLine']}>
        <Button type="submit" variant="primary" isPending={isPending}>
          <Play size={15} aria-hidden />
          {attemptedProblems !== null && state.broken === null && problems !== '' ? 'Start anyway' : 'Start'}
        </Button>
        {onOnlyMessage === null ? null : (
          <Button variant="quiet" onPress={onOnlyMessage}>
            <MessageSquare size={15} aria-hidden />
            Only a message
          </Button>
        )}
        <span className={`soft ${styles['keys']}`}>Ctrl+Enter starts</span>
      </div>
    </form>
  );
}
