import { memo, useEffect, useRef, useState } from 'react';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Message } from '../../shared/message.js';
import { count } from '../../components/format.js';
import { shown, type Conversation, type Said } from './conversation.js';
import styles from './run-room.module.css';

/** Messages that are made at once; more on demand. */
const PAGE = 40;
/** Characters of a message while the page follows it. */
const MOST = 40_000;
/** So near to its end a list counts as read to the end. */
const NEAR_PX = 80;

/** What was said, the newest at the end, which stays in sight while it grows unless somebody has scrolled away. */
export function ConversationView({ conversation, version }: { conversation: Conversation; version: number }) {
  const [pages, setPages] = useState(1);
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const all = [...conversation.values()];
  const last = all.slice(-pages * PAGE);
  const hidden = all.length - last.length;
  useEffect(() => {
    const { current } = box;
    if (current !== null && atEnd.current) current.scrollTop = current.scrollHeight;
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
        atEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_PX;
      }}
    >
      {hidden === 0 ? null : (
        <div className={styles['earlier']}>
          <Button small look="quiet" onPress={() => setPages(pages + 3)}>
            Show earlier messages ({count(hidden)})
          </Button>
        </div>
      )}
      {last.map((said) => (
        <One key={said.key} said={said} />
      ))}
    </div>
  );
}

/** Made again only when it was written to: each change of a message is a new object. */
const One = memo(function One({ said }: { said: Said }) {
  return (
    <Message
      message={shown(said)}
      streaming={said.streaming}
      most={MOST}
      about={
        said.streaming ? (
          <Badge look="info">writing</Badge>
        ) : said.from.length > 1 ? (
          <span className="soft" dir="auto">
            in {said.from.join(' › ')}
          </span>
        ) : null
      }
    />
  );
});
