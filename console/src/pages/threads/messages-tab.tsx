import { useDeferredValue, useMemo, useState } from 'react';
import { Button } from '../../components/button.js';
import { SearchField, Switch } from '../../components/field.js';
import { formatCount, pluralize } from '../../components/format.js';
import { RUN, useDenial } from '../../components/needs.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { VirtualList } from '../../components/virtual-list.js';
import { fileName } from '../../schema/content-files.js';
import { FileArea } from '../../shared/file-area.js';
import { Message } from '../../shared/message.js';
import { isMessage, messageParts, toolCalls, type MessageLike } from '../../shared/message-parts.js';
import { OpenInterrupts } from './open-interrupts.js';
import { MessageComposer, useMessageDraft } from './message-composer.js';
import { useQueryString } from '../../components/query-string.js';
import { useLatestState, type State, type ThreadSummary } from './thread-data.js';
import styles from './thread.module.css';

const SELECT = ['values.messages', 'next', 'tasks', 'checkpoint'];

/** The messages of a thread, newest first, below its open interrupts. Only visible messages are rendered. */
export function MessagesTab({ thread }: { thread: ThreadSummary }) {
  const state = useLatestState(thread, SELECT);
  if (state.data === undefined)
    return state.error === null ? (
      <Loading what="Loading the messages" />
    ) : (
      <ErrorNote error={state.error} onRetry={() => void state.refetch()} />
    );
  return (
    <>
      {state.error === null ? null : <ErrorNote error={state.error} onRetry={() => void state.refetch()} />}
      <OpenInterrupts
        thread={thread}
        tasks={state.data.tasks}
        settled={thread.status !== 'busy' && !state.isPlaceholderData}
      />
      <Conversation thread={thread} messages={messagesOf(state.data)} />
    </>
  );
}

function Conversation({ thread, messages }: { thread: ThreadSummary; messages: readonly MessageLike[] | null }) {
  const [params, change] = useQueryString();
  const draft = useMessageDraft();
  const denial = useDenial(RUN);
  const oldestFirst = params.get('order') === 'oldest';
  const [text, setText] = useState('');
  const searchText = useDeferredValue(text.trim().toLowerCase());
  const numbered = useMemo(() => (messages ?? []).map((message, at) => ({ message, at })), [messages]);
  const shown = useMemo(() => {
    const found = searchText === '' ? numbered : numbered.filter(({ message }) => containsText(message, searchText));
    return oldestFirst ? found : found.toReversed();
  }, [numbered, searchText, oldestFirst]);
  if (messages === null)
    return (
      <EmptyState title="The state of this thread has no messages">
        <Button onPress={() => change({ tab: 'state' }, { push: true })}>Show state</Button>
      </EmptyState>
    );
  return (
    <FileArea
      className={styles['conversation']!}
      label="Conversation"
      onFiles={denial === null ? draft.attach.add : null}
    >
      <div className={styles['line']}>
        <SearchField label="Search messages" value={text} onChange={setText} />
        <Switch value={oldestFirst} onChange={(value) => change({ order: value ? 'oldest' : null })}>
          Oldest first
        </Switch>
        <span className="soft" role="status">
          {searchText === ''
            ? pluralize(numbered.length, 'message')
            : `${formatCount(shown.length)} of ${pluralize(numbered.length, 'message')}`}
        </span>
      </div>
      <div className={styles['grow']}>
        {shown.length === 0 ? (
          <EmptyState title={numbered.length === 0 ? 'No messages yet' : 'No message contains this text'}>
            {numbered.length === 0 ? (
              'Send a message below to start a run.'
            ) : (
              <Button small onPress={() => setText('')}>
                Clear search
              </Button>
            )}
          </EmptyState>
        ) : (
          <VirtualList
            label="Messages"
            items={shown}
            idOf={({ at }) => at}
            estimate={96}
            render={({ message }) => (
              <div className={styles['one']}>
                <Message message={message} />
              </div>
            )}
          />
        )}
      </div>
      <MessageComposer thread={thread} draft={draft} />
    </FileArea>
  );
}

/** Returns null if the state has no messages channel. A thread without a checkpoint counts as an empty conversation. */
function messagesOf({ values, checkpoint }: State): MessageLike[] | null {
  const { messages } = (values ?? {}) as { messages?: unknown };
  if (Array.isArray(messages)) return messages.filter(isMessage);
  return checkpoint === null ? [] : null;
}

function containsText(message: MessageLike, searchText: string): boolean {
  return (
    messageParts(message).some((part) =>
      (part.kind === 'json'
        ? JSON.stringify(part.value)
        : part.kind === 'files'
          ? part.files.map((file) => `${fileName(file)} ${file.url ?? ''} ${file.text ?? ''}`).join(' ')
          : part.text
      )
        .toLowerCase()
        .includes(searchText),
    ) ||
    toolCalls(message).some((call) =>
      `${call.name} ${JSON.stringify(call.args) ?? ''}`.toLowerCase().includes(searchText),
    )
  );
}
