import { ArrowDown } from 'lucide-react';
import { memo, useEffect, useState, type ReactNode } from 'react';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ErrorNote } from '../../components/note.js';
import { Message } from '../../shared/message.js';
import { messageRole, toolCalls } from '../../shared/message-parts.js';
import { formatCount } from '../../components/format.js';
import { displayMessage, type Conversation, type StreamedMessage } from './conversation.js';
import { conversationRows, type ConversationRow } from './conversation-rows.js';
import { EditMessage, MessageButtons, type MessageActions } from './message-actions.js';
import { ToolCallView, type ToolCallState } from './tool-call.js';
import { useFollowEnd } from './use-follow-end.js';
import styles from './conversation-view.module.css';

/** Messages rendered initially. More on demand. */
const PAGE = 40;
/** Characters of a message that are shown while it streams. */
const CHARS_MAX = 40_000;

/** Messages, newest last. The end stays visible while the list grows, unless the person has scrolled up. */
export function ConversationView({
  conversation,
  openCallState,
  sentCount,
  actions,
  empty,
  tail,
}: {
  conversation: Conversation;
  /** State of tool calls without a result. */
  openCallState: ToolCallState;
  /** Number of messages that this page has sent. The list shows its end after each. */
  sentCount: number;
  /** Null while nothing can be done with the messages. Stays the same object otherwise. */
  actions: MessageActions | null;
  /** Shown in place of the first message. */
  empty: ReactNode;
  /** Messages that wait, below the others. */
  tail?: ReactNode;
}) {
  const [pages, setPages] = useState(1);
  const { box, content, isAway, onScroll, jumpToEnd } = useFollowEnd();
  const all = [...conversation.values()];
  const last = all.slice(-pages * PAGE);
  const hidden = all.length - last.length;
  useEffect(() => jumpToEnd(), [sentCount, jumpToEnd]);
  return (
    <div className={styles['frame']}>
      <div
        ref={box}
        className={styles['box']}
        role="log"
        aria-label="Conversation"
        aria-live="off"
        tabIndex={0}
        onScroll={onScroll}
      >
        <div ref={content} className={styles['messages']}>
          {hidden === 0 ? null : (
            <div className={styles['earlier']}>
              <Button small variant="quiet" onPress={() => setPages(pages + 3)}>
                Show earlier messages ({formatCount(hidden)})
              </Button>
            </div>
          )}
          {conversationRows(last).map((row) => (
            <Row key={row.entry.key} {...row} openCallState={openCallState} actions={actions} />
          ))}
          {tail}
          {all.length === 0 && !tail ? empty : null}
        </div>
      </div>
      {isAway ? (
        <div className={styles['jump']}>
          <Button small onPress={jumpToEnd}>
            <ArrowDown size={14} aria-hidden />
            Jump to the end
          </Button>
        </div>
      ) : null}
    </div>
  );
}

type RowProps = ConversationRow & { openCallState: ToolCallState; actions: MessageActions | null };

/** Renders again only when its messages change: each change creates a new object. */
const Row = memo(
  function Row({ entry, results, openCallState, actions }: RowProps) {
    const [isEditing, setEditing] = useState(false);
    const [error, setError] = useState<unknown>(null);
    const message = displayMessage(entry);
    const calls = toolCalls(message);
    const isOwn = messageRole(message) === 'user';
    if (isEditing && actions !== null)
      return <EditMessage entry={entry} actions={actions} onClose={() => setEditing(false)} />;
    return (
      <div className={isOwn ? styles['own'] : undefined}>
        <Message
          message={calls.length === 0 ? message : { ...message, tool_calls: undefined }}
          streaming={entry.streaming}
          most={CHARS_MAX}
          about={
            <>
              <MessageFacts entry={entry} />
              {actions === null ? null : (
                <MessageButtons entry={entry} actions={actions} onEdit={() => setEditing(true)} onError={setError} />
              )}
            </>
          }
        />
        {error === null ? null : <ErrorNote error={error} />}
        {calls.length === 0 ? null : (
          <div className={styles['calls']}>
            {calls.map((call, at) => (
              <ToolCallView
                key={call.id ?? at}
                call={call}
                result={results[at] ?? null}
                state={stateOfResult(results[at] ?? null) ?? openCallState}
              />
            ))}
          </div>
        )}
      </div>
    );
  },
  (before, after) =>
    before.entry === after.entry &&
    before.actions === after.actions &&
    before.results.length === after.results.length &&
    before.results.every((result, at) => result === after.results[at]) &&
    (before.openCallState === after.openCallState || !after.results.includes(null)),
);

function MessageFacts({ entry }: { entry: StreamedMessage }) {
  if (entry.streaming) return <Badge variant="info">Streaming</Badge>;
  const tokens = tokensOf(entry);
  return (
    <>
      {entry.from.length > 1 ? (
        <span className="soft" dir="auto">
          in {entry.from.join(' › ')}
        </span>
      ) : null}
      {tokens === null ? null : <span className={`soft numbers ${styles['tokens']}`}>{tokens}</span>}
    </>
  );
}

function stateOfResult(result: StreamedMessage | null): ToolCallState | null {
  if (result === null) return null;
  return result.message.status === 'error' ? 'failed' : 'succeeded';
}

function tokensOf({ message }: StreamedMessage): string | null {
  const { usage_metadata: usage } = message as { usage_metadata?: { input_tokens?: unknown; output_tokens?: unknown } };
  if (typeof usage?.input_tokens !== 'number' || typeof usage.output_tokens !== 'number') return null;
  return `${formatCount(usage.input_tokens)} tokens in, ${formatCount(usage.output_tokens)} out`;
}
