import { useDeferredValue, useMemo, useState } from 'react';
import { Button } from '../../components/button.js';
import { SearchField, Switch } from '../../components/field.js';
import { count, many } from '../../components/format.js';
import { Empty, ErrorNote, Loading } from '../../components/note.js';
import { VirtualList } from '../../components/virtual-list.js';
import { Message } from '../../shared/message.js';
import { isMessage, partsOf, toolCallsOf, type MessageLike } from '../../shared/message-parts.js';
import { Asks } from './asks.js';
import { ContinueBox } from './continue-box.js';
import { useQueryString } from '../../components/query-string.js';
import { useLatestState, type State, type ThreadHead } from './thread-data.js';
import styles from './thread.module.css';

const SELECT = ['values.messages', 'next', 'tasks', 'checkpoint'];

/** The conversation, newest message first, with what it waits for above it. However long it is, only what is in view is made. */
export function MessagesTab({ thread }: { thread: ThreadHead }) {
  const state = useLatestState(thread, SELECT);
  if (state.data === undefined)
    return state.error === null ? (
      <Loading what="Reading the messages" />
    ) : (
      <ErrorNote error={state.error} onRetry={() => void state.refetch()} />
    );
  return (
    <>
      {state.error === null ? null : <ErrorNote error={state.error} onRetry={() => void state.refetch()} />}
      <Asks thread={thread} tasks={state.data.tasks} settled={thread.status !== 'busy' && !state.isPlaceholderData} />
      <Conversation thread={thread} messages={messagesOf(state.data)} />
    </>
  );
}

function Conversation({ thread, messages }: { thread: ThreadHead; messages: readonly MessageLike[] | null }) {
  const [params, change] = useQueryString();
  const oldestFirst = params.get('order') === 'oldest';
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const numbered = useMemo(() => (messages ?? []).map((message, at) => ({ message, at })), [messages]);
  const shown = useMemo(() => {
    const found = wanted === '' ? numbered : numbered.filter(({ message }) => says(message, wanted));
    return oldestFirst ? found : found.toReversed();
  }, [numbered, wanted, oldestFirst]);
  if (messages === null)
    return (
      <Empty title="This thread's state has no messages.">
        <Button onPress={() => change({ tab: 'state' }, { push: true })}>Show its state</Button>
      </Empty>
    );
  return (
    <>
      <div className={styles['line']}>
        <SearchField label="Search in these messages" value={text} onChange={setText} />
        <Switch value={oldestFirst} onChange={(value) => change({ order: value ? 'oldest' : null })}>
          Oldest first
        </Switch>
        <span className="soft" role="status">
          {wanted === ''
            ? many(numbered.length, 'message')
            : `${count(shown.length)} of ${many(numbered.length, 'message')}`}
        </span>
      </div>
      <div className={styles['grow']}>
        {shown.length === 0 ? (
          <Empty title={numbered.length === 0 ? 'Nothing has been said yet.' : 'No message has this text.'}>
            {numbered.length === 0 ? null : (
              <Button small onPress={() => setText('')}>
                Show all
              </Button>
            )}
          </Empty>
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
      <ContinueBox thread={thread} />
    </>
  );
}

/** Null: the state has none. A thread that has not run yet may come to have some. */
function messagesOf({ values, checkpoint }: State): MessageLike[] | null {
  const { messages } = (values ?? {}) as { messages?: unknown };
  if (Array.isArray(messages)) return messages.filter(isMessage);
  return checkpoint === null ? [] : null;
}

function says(message: MessageLike, wanted: string): boolean {
  return (
    partsOf(message).some((part) =>
      (part.kind === 'json' ? JSON.stringify(part.value) : part.kind === 'image' ? '' : part.text)
        .toLowerCase()
        .includes(wanted),
    ) ||
    toolCallsOf(message).some((call) =>
      `${call.name} ${JSON.stringify(call.args) ?? ''}`.toLowerCase().includes(wanted),
    )
  );
}
