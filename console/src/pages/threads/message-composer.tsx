import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { Paperclip, Send } from 'lucide-react';
import { Button } from '../../components/button.js';
import { TextArea } from '../../components/field.js';
import { RUN, useDenial } from '../../components/needs.js';
import { DenialNote, ErrorNote } from '../../components/note.js';
import { AttachedFiles } from '../../schema/attached-files.js';
import { withWrittenContent, type WrittenContent } from '../../schema/content-files.js';
import { ACCEPTED_FILES } from '../../schema/read-files.js';
import { startRun } from '../../shared/start-run.js';
import { useAttach, type Attach } from '../../shared/use-attach.js';
import { useAssistant } from './use-assistant.js';
import type { ThreadSummary } from './thread-data.js';
import styles from './thread.module.css';

const NOTHING: WrittenContent = { text: '', files: [] };

export interface MessageDraft {
  content: WrittenContent;
  attach: Attach;
  setText: (text: string) => void;
  setFiles: (files: readonly unknown[]) => void;
  clear: () => void;
}

/** The message that is being written, with its files. */
export function useMessageDraft(): MessageDraft {
  const [content, setContent] = useState(NOTHING);
  const attach = useAttach(content.files, (blocks) =>
    setContent((before) => ({ ...before, files: [...before.files, ...blocks] })),
  );
  return {
    content,
    attach,
    setText: (text) => setContent((before) => ({ ...before, text })),
    setFiles: (files) => {
      setContent((before) => ({ ...before, files }));
      attach.clearError();
    },
    clear: () => {
      setContent(NOTHING);
      attach.clearError();
    },
  };
}

/** Sends a user message as a new run. */
export function MessageComposer({ thread, draft }: { thread: ThreadSummary; draft: MessageDraft }) {
  const { content, attach } = draft;
  const { assistantId, field } = useAssistant(thread);
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () =>
      startRun(thread.thread_id, assistantId!, {
        input: { messages: [withWrittenContent({ role: 'user' }, content)] },
      }),
    onSuccess: () => {
      draft.clear();
      return queries.invalidateQueries({ queryKey: ['threads', thread.thread_id] });
    },
  });
  const denial = useDenial(RUN);
  if (denial !== null) return <DenialNote what="send messages" denial={denial} />;
  const isWritten = content.text.trim() !== '' || content.files.length > 0;
  const ready = isWritten && assistantId !== null && !send.isPending && !attach.isReading;
  return (
    <>
      {send.error === null ? null : <ErrorNote error={send.error} />}
      {attach.error === null ? null : <ErrorNote error={attach.error} />}
      <form
        className={styles['composer']}
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) send.mutate();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
          if (!(event.target instanceof HTMLTextAreaElement)) return;
          event.preventDefault();
          if (ready) send.mutate();
        }}
      >
        <AttachedFiles files={content.files} onChange={draft.setFiles} />
        <div className={styles['composerLine']}>
          <TextArea
            label="Message"
            hideLabel
            rows={2}
            placeholder="Write a message as the user. Enter sends it, Shift+Enter adds a line."
            value={content.text}
            onChange={draft.setText}
          />
          <FileTrigger
            allowsMultiple
            acceptedFileTypes={[...ACCEPTED_FILES]}
            onSelect={(chosen) => attach.add([...(chosen ?? [])])}
          >
            <Button variant="quiet" isPending={attach.isReading}>
              <Paperclip size={15} aria-hidden />
              Attach
            </Button>
          </FileTrigger>
          {field}
          <Button type="submit" variant="primary" isDisabled={!ready} isPending={send.isPending}>
            <Send size={15} aria-hidden />
            Send
          </Button>
        </div>
      </form>
    </>
  );
}
