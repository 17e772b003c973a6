import { useState, type ReactNode } from 'react';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { JsonTree } from '../components/json-tree.js';
import { TextViewer } from '../components/text-viewer.js';
import { partsOf, roleOf, toolCallsOf, type MessageLike } from './message-parts.js';
import styles from './message.module.css';

/** Characters of a part that a list shows. */
const SHOWN = 4_000;

/** A message of a conversation. What it says is shown as the text it is: never as markup. `most`: characters of a part that are shown; `about`: what else is known of it. */
export function Message({
  message,
  streaming = false,
  most = SHOWN,
  about,
}: {
  message: MessageLike;
  streaming?: boolean;
  most?: number;
  about?: ReactNode;
}) {
  const [whole, setWhole] = useState<string | null>(null);
  const role = roleOf(message);
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
        {message.status === 'error' ? <Badge look="bad">error</Badge> : null}
        {about}
      </header>
      {partsOf(message).map((part, at) => {
        if (part.kind === 'image')
          return <img key={at} src={part.data} alt="From the message" className={styles['image']} />;
        if (part.kind === 'json')
          return <JsonTree key={at} label={`Part ${at + 1} of the message`} value={part.value} />;
        return (
          <div key={at} className={part.kind === 'reasoning' ? styles['reasoning'] : undefined}>
            <div className={styles['text']} dir="auto">
              {part.text.slice(0, most)}
              {part.text.length > most ? '…' : ''}
            </div>
            {part.text.length > most ? (
              <Button small onPress={() => setWhole(part.text)}>
                Show all of it
              </Button>
            ) : null}
          </div>
        );
      })}
      {toolCallsOf(message).map((call, at) => (
        <div key={call.id ?? at} className={styles['call']}>
          <div className={styles['callName']} dir="auto">
            Calls {call.name}
          </div>
          <JsonTree label={`Arguments of ${call.name}`} value={call.args} rows={10} />
        </div>
      ))}
      <TextViewer title="Text of the message" text={whole} onClose={() => setWhole(null)} />
    </article>
  );
}
