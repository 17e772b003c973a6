import { lazy, Suspense } from 'react';
import type { MarkdownProps } from './markdown.js';
import styles from './markdown.module.css';

const Loaded = lazy(() =>
  // A message can be read without its parser.
  import('./markdown.js').catch(() => ({ default: PlainText })),
);

/** Loads the parser with the first message that needs it. Until then the message is plain text. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<PlainText text={props.text} />}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** A text as it was written. */
export function PlainText({ text }: { text: string }) {
  return (
    <div className={styles['plain']} dir="auto">
      {text}
    </div>
  );
}
