import { prettyJson } from '../api/json.js';
import { ToggleButton } from '../components/button.js';
import { TextArea } from '../components/field.js';
import { JsonEditor, readJson } from '../components/json-editor.js';
import { JsonTree } from '../components/json-tree.js';
import { LongText } from './interrupt-value.js';
import {
  decisionName,
  EDIT,
  DECISIONS_WITH_MESSAGE,
  type Decision,
  type Review,
  type ReviewedAction,
} from './review.js';
import styles from './interrupt-form.module.css';

/** An unfinished decision. Arguments and message are kept while the person switches between decisions. */
export interface DecisionDraft {
  kind: string | null;
  args: string;
  message: string;
}

export function initialDrafts({ actions }: Review): DecisionDraft[] {
  return actions.map(({ args }) => ({ kind: null, args: prettyJson(args ?? {}), message: '' }));
}

/** Returns null while a decision or a required message is missing. */
export function completeDecisions(drafts: readonly DecisionDraft[]): Decision[] | null {
  const decisions = drafts.map(({ kind, args, message }): Decision | null => {
    const { value } = readJson(args);
    const text = message.trim();
    if (
      kind === null ||
      (kind === EDIT && value === undefined) ||
      (DECISIONS_WITH_MESSAGE.includes(kind) && kind !== 'reject' && text === '')
    )
      return null;
    return { kind, args: value, message: text };
  });
  return decisions.every((one) => one !== null) ? decisions : null;
}

/** Actions that wait for approval. The request defines which decisions are allowed for each. */
export function Decisions({
  review,
  drafts,
  onChange,
}: {
  review: Review;
  drafts: readonly DecisionDraft[];
  onChange: (drafts: DecisionDraft[]) => void;
}) {
  return (
    <>
      {review.actions.map((action, at) => (
        <Action
          key={at}
          action={action}
          draft={drafts[at]!}
          onChange={(part) => onChange(drafts.map((draft, place) => (place === at ? { ...draft, ...part } : draft)))}
        />
      ))}
    </>
  );
}

function Action({
  action: { name, args, description, allowed },
  draft,
  onChange,
}: {
  action: ReviewedAction;
  draft: DecisionDraft;
  onChange: (part: Partial<DecisionDraft>) => void;
}) {
  return (
    <div className={styles['action']}>
      <LongText text={name} />
      {description === null ? null : <LongText text={description} soft />}
      {draft.kind === EDIT ? (
        <JsonEditor
          label={`Arguments of ${name}`}
          rows={6}
          text={draft.args}
          onChange={(text) => onChange({ args: text })}
        />
      ) : (
        <JsonTree label={`Arguments of ${name}`} value={args} openTo={2} rows={10} />
      )}
      <div role="group" aria-label={`Decision about ${name}`} className="row">
        {allowed.map((kind) => (
          <ToggleButton
            key={kind}
            isSelected={draft.kind === kind}
            onChange={(chosen) => onChange({ kind: chosen ? kind : null })}
          >
            {decisionName(kind)}
          </ToggleButton>
        ))}
      </div>
      {draft.kind !== null && DECISIONS_WITH_MESSAGE.includes(draft.kind) ? (
        <TextArea
          label={draft.kind === 'reject' ? 'Reason (optional)' : 'Response'}
          rows={2}
          value={draft.message}
          onChange={(message) => onChange({ message })}
        />
      ) : null}
    </div>
  );
}
