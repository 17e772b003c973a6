import { prettyJson } from '../api/json.js';
import { Toggle } from '../components/button.js';
import { TextArea } from '../components/field.js';
import { JsonEditor, readJson } from '../components/json-editor.js';
import { JsonTree } from '../components/json-tree.js';
import { Said } from './question.js';
import { decisionName, EDITS, SAYS, type Decision, type Review, type ReviewedAction } from './review.js';
import styles from './questions.module.css';

/** What is decided so far; arguments and message stay when another decision is tried in between. */
export interface DecisionDraft {
  kind: string | null;
  args: string;
  message: string;
}

export function draftsOf({ actions }: Review): DecisionDraft[] {
  return actions.map(({ args }) => ({ kind: null, args: prettyJson(args ?? {}), message: '' }));
}

/** Null: something is still to be decided, or said. */
export function decisionsOf(drafts: readonly DecisionDraft[]): Decision[] | null {
  const decisions = drafts.map(({ kind, args, message }): Decision | null => {
    const { value } = readJson(args);
    const said = message.trim();
    if (
      kind === null ||
      (kind === EDITS && value === undefined) ||
      (SAYS.includes(kind) && kind !== 'reject' && said === '')
    )
      return null;
    return { kind, args: value, message: said };
  });
  return decisions.every((one) => one !== null) ? decisions : null;
}

/** Actions that wait for a person's word: each is done, done otherwise, or not done, as the request allows. */
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
      <Said text={name} />
      {description === null ? null : <Said text={description} soft />}
      {draft.kind === EDITS ? (
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
          <Toggle
            key={kind}
            isSelected={draft.kind === kind}
            onChange={(chosen) => onChange({ kind: chosen ? kind : null })}
          >
            {decisionName(kind)}
          </Toggle>
        ))}
      </div>
      {draft.kind !== null && SAYS.includes(draft.kind) ? (
        <TextArea
          label={draft.kind === 'reject' ? 'Why not (optional)' : 'What to say'}
          rows={2}
          value={draft.message}
          onChange={(message) => onChange({ message })}
        />
      ) : null}
    </div>
  );
}
