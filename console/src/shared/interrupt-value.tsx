import { useState } from 'react';
import { Button } from '../components/button.js';
import { JsonTree } from '../components/json-tree.js';
import { TextViewer } from '../components/text-viewer.js';
import styles from './interrupt-form.module.css';

/** Characters that are shown before the button for the full text. */
const CHARS_MAX = 4_000;
/** Properties in which graphs commonly put the question text. */
const TEXT_PROPERTIES = ['question', 'message', 'prompt', 'title', 'text', 'description'];

/** The value of an interrupt: the question text, and a tree of the others. `omitted`: a property to leave out. */
export function InterruptValue({ value, omitted = null }: { value: unknown; omitted?: string | null }) {
  if (typeof value === 'string') return <LongText text={value} />;
  const fields = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Record<
    string,
    unknown
  >;
  const name = TEXT_PROPERTIES.find((one) => typeof fields[one] === 'string' && fields[one] !== '');
  if (name === undefined && omitted === null) return <JsonTree label="Question" value={value} openTo={3} rows={12} />;
  const rest = Object.fromEntries(Object.entries(fields).filter(([one]) => one !== name && one !== omitted));
  return (
    <>
      {name === undefined ? null : <LongText text={fields[name] as string} />}
      {Object.keys(rest).length === 0 ? null : (
        <JsonTree label="Details of the question" value={rest} openTo={3} rows={12} />
      )}
    </>
  );
}

/** Text of any length, shortened with a button for the full text. */
export function LongText({ text, soft = false }: { text: string; soft?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className={`${styles['text']} ${soft ? 'soft' : styles['strong']}`} dir="auto">
        {text.length > CHARS_MAX ? `${text.slice(0, CHARS_MAX)}…` : text}
      </p>
      {text.length > CHARS_MAX ? (
        <div>
          <Button small onPress={() => setOpen(true)}>
            Show full text
          </Button>
        </div>
      ) : null}
      <TextViewer title="Question" text={isOpen ? text : null} onClose={() => setOpen(false)} />
    </>
  );
}
