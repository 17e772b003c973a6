import { ListTree, SendHorizontal } from 'lucide-react';
import { Button } from '../../components/button.js';
import { TextArea } from '../../components/field.js';
import { ErrorNote } from '../../components/note.js';
import styles from './composer.module.css';

/** The field for the next message. Enter sends it, Shift+Enter adds a line. */
export function Composer({
  text,
  onChange,
  onSend,
  onAllFields,
  error,
  hint,
  autoFocus,
}: {
  text: string;
  onChange: (text: string) => void;
  onSend: () => void;
  /** Shows the whole input of the graph in place of the composer. */
  onAllFields: () => void;
  error: unknown;
  hint: string;
  autoFocus: boolean;
}) {
  const isReady = text.trim() !== '';
  return (
    <form
      aria-label="Next message"
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onSend();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
        if (!(event.target instanceof HTMLTextAreaElement)) return;
        event.preventDefault();
        if (isReady) onSend();
      }}
    >
      {error === null ? null : <ErrorNote error={error} />}
      <div className={styles['text']}>
        <TextArea
          label="Message"
          hideLabel
          rows={2}
          placeholder="Write a message"
          value={text}
          onChange={onChange}
          autoFocus={autoFocus}
        />
      </div>
      <div className={styles['line']}>
        <Button small variant="quiet" onPress={onAllFields}>
          <ListTree size={14} aria-hidden />
          All fields
        </Button>
        <span className={styles['hint']}>{hint}</span>
        <Button type="submit" variant="primary" isDisabled={!isReady}>
          <SendHorizontal size={15} aria-hidden />
          Send
        </Button>
      </div>
    </form>
  );
}
