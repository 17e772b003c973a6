import { useState } from 'react';
import { prettyJson } from '../../api/json.js';
import { Button, Toggle } from '../../kit/button.js';
import { TextField } from '../../kit/field.js';
import { JsonEditor, readJson } from '../../kit/json-editor.js';
import { JsonTree } from '../../kit/json-tree.js';
import { decisionName, EDITS, SAYS, type Decision, type Review, type ReviewedAction } from './review.js';
import styles from './thread.module.css';

interface Draft { kind: string | null; args: string; message: string }

/** What an agent wants to do, with what a person may decide about it. */
export function ReviewForm({ review, isPending, isDisabled, onAnswer }: { review: Review; isPending: boolean; isDisabled: boolean; onAnswer: (value: unknown) => void }) {
  const [drafts, setDrafts] = useState<readonly Draft[]>(review.actions.map(({ args }) => ({ kind: null, args: prettyJson(args ?? {}), message: '' })));
  const change = (at: number, part: Partial<Draft>): void => setDrafts((before) => before.map((draft, place) => (place === at ? { ...draft, ...part } : draft)));
  const ready = drafts.every(({ kind, args }) => kind !== null && (kind !== EDITS || readJson(args).error === null));
  const send = (): void => onAnswer(review.answer(drafts.map(({ kind, args, message }): Decision => ({ kind: kind!, args: readJson(args).value, message: message.trim() }))));
  return (
    <>
      {review.actions.map((action, at) => <Action key={at} action={action} draft={drafts[at]!} onChange={(part) => change(at, part)} />)}
      <div className="row"><Button look="primary" isPending={isPending} isDisabled={isDisabled || isPending || !ready} onPress={send}>{review.actions.length === 1 ? 'Send the decision' : 'Send the decisions'}</Button></div>
    </>
  );
}

function Action({ action: { name, args, description, allowed }, draft, onChange }: { action: ReviewedAction; draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  return (
    <div className={styles['action']} role="group" aria-label={`Decision about ${name}`}>
      <p className={styles['question']} dir="auto">{name}</p>
      {description === null ? null : <p className="soft" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>{description.slice(0, 4_000)}</p>}
      {draft.kind === EDITS
        ? <JsonEditor label={`Arguments of ${name}`} rows={6} text={draft.args} onChange={(text) => onChange({ args: text })} />
        : <JsonTree label={`Arguments of ${name}`} value={args} rows={8} />}
      <div className="row">
        {allowed.map((kind) => <Toggle key={kind} isSelected={draft.kind === kind} onChange={(chosen) => onChange({ kind: chosen ? kind : null })}>{decisionName(kind)}</Toggle>)}
      </div>
      {draft.kind !== null && SAYS.includes(draft.kind) ? <TextField label={draft.kind === 'reject' ? 'Why not' : 'What to say'} value={draft.message} onChange={(message) => onChange({ message })} /> : null}
    </div>
  );
}
