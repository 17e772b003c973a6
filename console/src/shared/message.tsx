import { useState, type ReactNode } from 'react';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { JsonTree } from '../components/json-tree.js';
import { TextViewer } from '../components/text-viewer.js';
import { messageParts, messageRole, toolCalls, type MessageLike } from './message-parts.js';
import styles from './message.module.css';

/** Characters of a part that are shown by default. */
const CHARS_MAX = 4_000;

/** A chat message, shown as plain text and never as markup. `about`: extra content of the header. */
export function Message({
  message,
  streaming = false,
  most = CHARS_MAX,
  about,
}: {
  message: MessageLike;
  streaming?: boolean;
  most?: number;
  about?: ReactNode;
}) {
  const [fullText, setFullText] = useState<string | null>(null);
  const role = messageRole(message);
  return (
    <article
      className={`${styles['message']} ${styles[role] ?? ''}`}
      aria-label={`${role} message`}
      {...(streaming ? { 'aria-busy': true } : {})}
    >
      <header className={styles['head']}>
        <span className={styles['role']}>{role}</span>
        {message.name ? (
          <span className="soft" dir="auto">
            {message.name}
          </span>
        ) : null}
        {message.status === 'error' ? <Badge variant="bad">Failed</Badge> : null}
        {about}
      </header>
      {messageParts(message).map((part, at) => {
        if (part.kind === 'image')
          return <img key={at} src={part.data} alt="Image in the message" className={styles['image']} />;
        if (part.kind === 'json')
          return <JsonTree key={at} label={`Part ${at + 1} of the message`} value={part.value} />;
        return (
          <div key={at} className={part.kind === 'reasoning' ? styles['reasoning'] : undefined}>
            <div className={styles['text']} dir="auto">
              {part.text.slice(0, most)}
              {part.text.length > most ? '…' : ''}
            </div>
            {part.text.length > most ? (
              <Button small onPress={() => setFullText(part.text)}>
                Show full text
              </Button>
            ) : null}
          </div>
        );
      })}
      {toolCalls(message).map((call, at) => (
        <div key={call.id ?? at} className={styles['call']}>
          <div className={styles['callName']} dir="auto">
            Tool call: {call.name}
          </div>
          <JsonTree label={`Arguments of ${call.name}`} value={call.args} rows={10} />
        </div>
      ))}
      <TextViewer title="Message text" text={fullText} onClose={() => setFullText(null)} />
    </article>
  );
}
