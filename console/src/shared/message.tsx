import { useState, type ReactNode } from 'react';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { JsonTree } from '../components/json-tree.js';
import { TextViewer } from '../components/text-viewer.js';
import { hasMarkdown } from '../markdown/has-markdown.js';
import { Markdown, PlainText } from '../markdown/lazy-markdown.js';
import { MessageFiles } from './message-files.js';
import { messageParts, messageRole, toolCalls, type MessageLike } from './message-parts.js';
import styles from './message.module.css';

/** Characters of a part that are shown by default. */
const CHARS_MAX = 12_000;

/**
 * A chat message. What a model wrote is shown as Markdown, everything else as it was written. `about`: extra content of
 * the header.
 */
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
  const [isPlain, setPlain] = useState(false);
  const role = messageRole(message);
  const parts = messageParts(message);
  const isMarkdown =
    role === 'assistant' &&
    parts.some((part) => (part.kind === 'text' || part.kind === 'reasoning') && hasMarkdown(part.text.slice(0, most)));
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
        {isMarkdown ? (
          <span className={styles['headEnd']}>
            <Button small variant="quiet" onPress={() => setPlain(!isPlain)}>
              {isPlain ? 'Show formatted' : 'Show as text'}
            </Button>
          </span>
        ) : null}
      </header>
      {parts.map((part, at) => {
        if (part.kind === 'files') return <MessageFiles key={at} files={part.files} />;
        if (part.kind === 'json')
          return <JsonTree key={at} label={`Part ${at + 1} of the message`} value={part.value} />;
        return (
          <div key={at} className={part.kind === 'reasoning' ? styles['reasoning'] : undefined}>
            <Text text={part.text} most={most} isMarkdown={isMarkdown && !isPlain} streaming={streaming} />
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

function Text({
  text,
  most,
  isMarkdown,
  streaming,
}: {
  text: string;
  most: number;
  isMarkdown: boolean;
  streaming: boolean;
}) {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return isMarkdown && hasMarkdown(shown) ? (
    <Markdown text={shown} isGrowing={streaming} />
  ) : (
    <PlainText text={shown} />
  );
}
