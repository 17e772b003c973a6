import { useState } from 'react';
import { Button } from '../components/button.js';
import { JsonTree } from '../components/json-tree.js';
import { TextViewer } from '../components/text-viewer.js';
import styles from './questions.module.css';

/** Characters that stand in the page; the others are a press away. */
const SHOWN = 4_000;
/** Where graphs write the sentence in which they ask. */
const SENTENCES = ['question', 'message', 'prompt', 'description'];

/** What is asked: its sentence, and what goes with it as a tree. */
export function Question({ value }: { value: unknown }) {
  if (typeof value === 'string') return <Said text={value} />;
  const fields = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Record<
    string,
    unknown
  >;
  const name = SENTENCES.find((one) => typeof fields[one] === 'string' && fields[one] !== '');
  if (name === undefined) return <JsonTree label="What is asked" value={value} openTo={3} rows={12} />;
  const { [name]: sentence, ...rest } = fields;
  return (
    <>
      <Said text={sentence as string} />
      {Object.keys(rest).length === 0 ? null : (
        <JsonTree label="What goes with the question" value={rest} openTo={3} rows={12} />
      )}
    </>
  );
}

/** A text of somebody else's, of any length. */
export function Said({ text, soft = false }: { text: string; soft?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className={`${styles['said']} ${soft ? 'soft' : styles['strong']}`} dir="auto">
        {text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}
      </p>
      {text.length > SHOWN ? (
        <div>
          <Button small onPress={() => setOpen(true)}>
            Show all of it
          </Button>
        </div>
      ) : null}
      <TextViewer title="What is asked" text={isOpen ? text : null} onClose={() => setOpen(false)} />
    </>
  );
}
