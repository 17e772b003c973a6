import { Pencil, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useAsyncAction } from '../../components/async-action.js';
import { Button, IconButton } from '../../components/button.js';
import { TextArea } from '../../components/field.js';
import { ErrorNote } from '../../components/note.js';
import { messageRole } from '../../shared/message-parts.js';
import { editableContent } from './composer-input.js';
import type { StreamedMessage } from './conversation.js';
import styles from './conversation-view.module.css';

/** What a person can do with a message of the thread while no run executes. */
export interface MessageActions {
  /** Starts a run with another text in a message of the person and the same files, from the checkpoint before it. */
  edit: (entry: StreamedMessage, text: string) => Promise<void>;
  /** Starts a run from the checkpoint before a message of the graph. */
  rerun: (entry: StreamedMessage) => Promise<void>;
}

/** Text of a message that can be edited; null for content that is more than text and files. */
export function editableText({ message, inState }: StreamedMessage): string | null {
  return inState && messageRole(message) === 'user' ? (editableContent(message)?.text ?? null) : null;
}

/** The buttons in the head of a message. */
export function MessageButtons({
  entry,
  actions,
  onEdit,
  onError,
}: {
  entry: StreamedMessage;
  actions: MessageActions;
  onEdit: () => void;
  onError: (error: unknown) => void;
}) {
  const [isPending, setPending] = useState(false);
  if (editableText(entry) !== null)
    return (
      <span className={styles['actions']}>
        <IconButton small label="Edit and run from here" onPress={onEdit}>
          <Pencil size={13} aria-hidden />
        </IconButton>
      </span>
    );
  if (!entry.inState || messageRole(entry.message) !== 'assistant') return null;
  const rerun = async (): Promise<void> => {
    setPending(true);
    onError(null);
    try {
      await actions.rerun(entry);
    } catch (error) {
      onError(error);
    } finally {
      setPending(false);
    }
  };
  return (
    <span className={styles['actions']}>
      <IconButton small label="Run again from here" isDisabled={isPending} onPress={() => void rerun()}>
        <RotateCw size={13} aria-hidden />
      </IconButton>
    </span>
  );
}

/** The text of a message of the person, to change it and run from there. Escape closes it. */
export function EditMessage({
  entry,
  actions,
  onClose,
}: {
  entry: StreamedMessage;
  actions: MessageActions;
  onClose: () => void;
}) {
  const [text, setText] = useState(editableText(entry) ?? '');
  const { error, isPending, execute } = useAsyncAction();
  const run = (): Promise<void> =>
    execute(async () => {
      await actions.edit(entry, text);
      onClose();
    });
  const hasFiles = (editableContent(entry.message)?.files.length ?? 0) > 0;
  const isReady = (text.trim() !== '' || hasFiles) && !isPending;
  return (
    <form
      aria-label="Edit message"
      className={styles['edit']}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void run();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
        if (!(event.target instanceof HTMLTextAreaElement)) return;
        event.preventDefault();
        if (isReady) void run();
      }}
    >
      <TextArea
        label="Message text"
        hideLabel
        rows={3}
        autoFocus
        value={text}
        onChange={setText}
        help={`${hasFiles ? 'The files of the message stay. ' : ''}Later messages stay in the history of the thread.`}
      />
      {error === null ? null : <ErrorNote error={error} />}
      <div className="row">
        <Button small type="submit" variant="primary" isDisabled={!isReady} isPending={isPending}>
          Run from here
        </Button>
        <Button small onPress={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
