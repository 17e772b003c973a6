import { Button, ToggleButton } from '../components/button.js';
import { TextArea } from '../components/field.js';
import { JsonTree } from '../components/json-tree.js';
import { SchemaForm, type FormState } from '../schema/schema-form.js';
import { schemaOfValue } from './interrupt-answer.js';
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
  args: unknown;
  /** True while the text of an argument is not a value. */
  isBroken: boolean;
  message: string;
}

/** Decisions that approve an action as it is. */
const APPROVALS = ['approve', 'accept'];

export function initialDrafts({ actions }: Review): DecisionDraft[] {
  return actions.map(({ args }) => ({ kind: null, args: args ?? {}, isBroken: false, message: '' }));
}

/** Returns null while a decision or a required message is missing. */
export function completeDecisions(drafts: readonly DecisionDraft[]): Decision[] | null {
  const decisions = drafts.map(({ kind, args, isBroken, message }): Decision | null => {
    const text = message.trim();
    if (
      kind === null ||
      (kind === EDIT && (isBroken || args === undefined)) ||
      (DECISIONS_WITH_MESSAGE.includes(kind) && kind !== 'reject' && text === '')
    )
      return null;
    return { kind, args, message: text };
  });
  return decisions.every((one) => one !== null) ? decisions : null;
}

/** Whether a decision needs nothing but its button. */
export function isImmediate(kind: string): boolean {
  return kind !== EDIT && !DECISIONS_WITH_MESSAGE.includes(kind);
}

/** Actions that wait for approval. The request defines which decisions are allowed for each. */
export function Decisions({
  review,
  drafts,
  onChange,
  onChosen,
}: {
  review: Review;
  drafts: readonly DecisionDraft[];
  onChange: (drafts: DecisionDraft[]) => void;
  /** Answers at once with a decision that needs nothing else. Null if there are other questions. */
  onChosen: ((drafts: DecisionDraft[]) => void) | null;
}) {
  const approvals = review.actions.map(({ allowed }) => allowed.find((kind) => APPROVALS.includes(kind)));
  const change = (at: number, part: Partial<DecisionDraft>): DecisionDraft[] =>
    drafts.map((draft, place) => (place === at ? { ...draft, ...part } : draft));
  return (
    <>
      {review.actions.map((action, at) => (
        <Action
          key={at}
          action={action}
          draft={drafts[at]!}
          onChange={(part) => {
            const next = change(at, part);
            onChange(next);
            const { kind } = part;
            if (kind !== undefined && kind !== null && isImmediate(kind) && review.actions.length === 1)
              onChosen?.(next);
          }}
        />
      ))}
      {review.actions.length > 1 && approvals.every((kind) => kind !== undefined) ? (
        <div>
          <Button small onPress={() => onChange(drafts.map((draft, at) => ({ ...draft, kind: approvals[at]! })))}>
            Approve all {review.actions.length}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Action({
  action: { name, args, argsSchema, description, allowed },
  draft,
  onChange,
}: {
  action: ReviewedAction;
  draft: DecisionDraft;
  onChange: (part: Partial<DecisionDraft>) => void;
}) {
  const onState = ({ broken }: FormState): void => {
    if ((broken !== null) !== draft.isBroken) onChange({ isBroken: broken !== null });
  };
  return (
    <div className={styles['action']}>
      <LongText text={name} />
      {description === null ? null : <LongText text={description} soft />}
      {draft.kind === EDIT ? (
        <SchemaForm
          label={`Arguments of ${name}`}
          schema={argsSchema ?? schemaOfValue(args)}
          value={draft.args}
          onChange={(value) => onChange({ args: value })}
          onState={onState}
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
