import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Send } from 'lucide-react';
import { Button } from '../../components/button.js';
import { TextArea } from '../../components/field.js';
import { RUN, useDenial } from '../../components/needs.js';
import { DenialNote, ErrorNote } from '../../components/note.js';
import { useAssistant } from './use-assistant.js';
import { startRun } from '../../shared/start-run.js';
import type { ThreadSummary } from './thread-data.js';
import styles from './thread.module.css';

/** Sends a user message as a new run. */
export function MessageComposer({ thread }: { thread: ThreadSummary }) {
  const [text, setText] = useState('');
  const { assistantId, field } = useAssistant(thread);
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () =>
      startRun(thread.thread_id, assistantId!, { input: { messages: [{ role: 'user', content: text }] } }),
    onSuccess: () => {
      setText('');
      return queries.invalidateQueries({ queryKey: ['threads', thread.thread_id] });
    },
  });
  const denial = useDenial(RUN);
  if (denial !== null) return <DenialNote what="send messages" denial={denial} />;
  const ready = text.trim() !== '' && assistantId !== null && !send.isPending;
  return (
    <>
      {send.error === null ? null : <ErrorNote error={send.error} />}
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
        <TextArea
          label="Message"
          hideLabel
          rows={2}
          placeholder="Write a message as the user. Enter sends it, Shift+Enter adds a line."
          value={text}
          onChange={setText}
        />
        {field}
        <Button type="submit" variant="primary" isDisabled={!ready} isPending={send.isPending}>
          <Send size={15} aria-hidden />
          Send
        </Button>
      </form>
    </>
  );
}
