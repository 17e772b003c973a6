import { useState } from 'react';
import { prettyJson } from '../../api/json.js';
import { Toggle } from '../../kit/button.js';
import { TextArea } from '../../kit/field.js';
import { JsonEditor, readJson } from '../../kit/json-editor.js';
import { JsonTree } from '../../kit/json-tree.js';
import type { Asked, Decided, Decision, Request } from './answers.js';
import styles from './run-room.module.css';

const VERBS: Readonly<Record<Decision, string>> = { approve: 'Approve', edit: 'Edit', reject: 'Reject' };

/** Actions that wait for a person's word: each is approved, done otherwise, or not done. */
export function Decisions({ asked, decided, onChange }: { asked: Asked; decided: readonly (Decided | null)[]; onChange: (decided: readonly (Decided | null)[]) => void }) {
  return (
    <div className="stack">
      {asked.requests.map((request, at) => <One key={at} request={request} onChange={(next) => onChange(decided.map((one, place) => (place === at ? next : one)))} />)}
    </div>
  );
}

function One({ request: { name, args, description, allowed }, onChange }: { request: Request; onChange: (decided: Decided | null) => void }) {
  const [decision, setDecision] = useState<Decision | null>(null);
  // Both stay when another button is tried in between.
  const [text, setText] = useState(() => prettyJson(args));
  const [message, setMessage] = useState('');
  const tell = (next: Decision, edited: string, said: string): void => {
    if (next === 'approve') return onChange({ decision: next });
    if (next === 'reject') return onChange({ decision: next, message: said });
    const { value, error } = readJson(edited);
    return onChange(error === null && value !== undefined ? { decision: next, args: value } : null);
  };
  return (
    <div className={styles['request']}>
      <h3 dir="auto">{name}</h3>
      {description === null ? null : <p className={styles['asked']} dir="auto">{description}</p>}
      {decision === 'edit' ? null : <JsonTree label={`Arguments of ${name}`} value={args} openTo={2} rows={10} />}
      <div role="group" aria-label={`Decision about ${name}`} className="row">
        {allowed.map((one) => <Toggle key={one} isSelected={decision === one} onChange={() => { setDecision(one); tell(one, text, message); }}>{VERBS[one]}</Toggle>)}
      </div>
      {decision === 'edit' ? <JsonEditor label={`Other arguments of ${name}`} rows={5} text={text} onChange={(next) => { setText(next); tell('edit', next, message); }} /> : null}
      {decision === 'reject' ? <TextArea label="Why not (optional)" rows={2} value={message} onChange={(next) => { setMessage(next); tell('reject', text, next); }} /> : null}
    </div>
  );
}
