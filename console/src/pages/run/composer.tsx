import { ListTree, Paperclip, SendHorizontal } from 'lucide-react';
import { FileTrigger } from 'react-aria-components';
import { Button } from '../../components/button.js';
import { TextArea } from '../../components/field.js';
import { ErrorNote } from '../../components/note.js';
import { AttachedFiles } from '../../schema/attached-files.js';
import type { WrittenContent } from '../../schema/content-files.js';
import { ACCEPTED_FILES } from '../../schema/read-files.js';
import type { Attach } from '../../shared/use-attach.js';
import styles from './composer.module.css';

/** The field for the next message, and its files. Enter sends it, Shift+Enter adds a line. */
export function Composer({
  content: { text, files },
  attach,
  onChange,
  onFilesChange,
  onSend,
  onAllFields,
  error,
  hint,
  autoFocus,
}: {
  content: WrittenContent;
  attach: Attach;
  onChange: (text: string) => void;
  onFilesChange: (files: readonly unknown[]) => void;
  onSend: () => void;
  /** Shows the whole input of the graph in place of the composer. */
  onAllFields: () => void;
  error: unknown;
  hint: string;
  autoFocus: boolean;
}) {
  const isReady = (text.trim() !== '' || files.length > 0) && !attach.isReading;
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
      {attach.error === null ? null : <ErrorNote error={attach.error} />}
      <AttachedFiles files={files} onChange={onFilesChange} />
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
        <FileTrigger
          allowsMultiple
          acceptedFileTypes={[...ACCEPTED_FILES]}
          onSelect={(chosen) => attach.add([...(chosen ?? [])])}
        >
          <Button small variant="quiet" isPending={attach.isReading}>
            <Paperclip size={14} aria-hidden />
            Attach
          </Button>
        </FileTrigger>
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
