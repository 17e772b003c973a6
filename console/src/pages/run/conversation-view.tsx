import { memo, useEffect, useRef, useState } from 'react';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Message } from '../../shared/message.js';
import { formatCount } from '../../components/format.js';
import { displayMessage, type Conversation, type StreamedMessage } from './conversation.js';
import styles from './run-page.module.css';

/** Messages rendered initially. More on demand. */
const PAGE = 40;
/** Characters of a message that are shown while it streams. */
const CHARS_MAX = 40_000;
/** Distance from the end within which the list keeps scrolling along. */
const NEAR_PX = 80;

/** Messages, newest last. The end stays visible while the list grows, unless the person has scrolled up. */
export function ConversationView({ conversation, version }: { conversation: Conversation; version: number }) {
  const [pages, setPages] = useState(1);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const all = [...conversation.values()];
  const last = all.slice(-pages * PAGE);
  const hidden = all.length - last.length;
  useEffect(() => {
    const { current } = box;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [version]);
  return (
    <div
      ref={box}
      className={styles['conversation']}
      role="log"
      aria-label="Conversation"
      aria-live="off"
      tabIndex={0}
      onScroll={({ currentTarget: at }) => {
        isAtEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_PX;
      }}
    >
      {hidden === 0 ? null : (
        <div className={styles['earlier']}>
          <Button small variant="quiet" onPress={() => setPages(pages + 3)}>
            Show earlier messages ({formatCount(hidden)})
          </Button>
        </div>
      )}
      {last.map((entry) => (
        <StreamedEntry key={entry.key} entry={entry} />
      ))}
    </div>
  );
}

/** Renders again only when its message changes: each change creates a new object. */
const StreamedEntry = memo(function One({ entry }: { entry: StreamedMessage }) {
  return (
    <Message
      message={displayMessage(entry)}
      streaming={entry.streaming}
      most={CHARS_MAX}
      about={
        entry.streaming ? (
          <Badge variant="info">Streaming</Badge>
        ) : entry.from.length > 1 ? (
          <span className="soft" dir="auto">
            in {entry.from.join(' › ')}
          </span>
        ) : null
      }
    />
  );
});
