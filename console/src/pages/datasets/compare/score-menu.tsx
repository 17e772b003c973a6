import { ListChecks } from 'lucide-react';
import { Button } from '../../../components/button.js';
import { Checkbox } from '../../../components/field.js';
import { formatCount } from '../../../components/format.js';
import { PopoverButton } from '../../../components/popover-button.js';
import { formatSigned } from '../../../shared/scores.js';
import type { ScoreChange } from './score-choice.js';
import { EXTRA_COLUMNS, type ChangeView, type ExtraColumn, type View } from './view.js';
import styles from './score-menu.module.css';

const COLUMN_NAMES: Readonly<Record<ExtraColumn, string>> = { latency: 'Latency', errors: 'Error rate' };

interface ScoreMenuProps {
  /** All scores, the one that changed most first. */
  ranked: readonly ScoreChange[];
  shown: readonly string[];
  /** The score that examples are ranked by. */
  feedbackKey: string | null;
  view: View;
  onView: ChangeView;
}

/** Says which scores the summary shows, and lets the person choose others, and the other columns. */
export function ScoreMenu({ ranked, shown, feedbackKey, view, onView }: ScoreMenuProps) {
  const change = (key: string, isShown: boolean): void => {
    const next = isShown ? [...shown, key] : shown.filter((one) => one !== key);
    // The examples keep their order, unless the score that ranks them is removed.
    const ranking = isShown || key !== feedbackKey ? feedbackKey : null;
    onView({ scores: next, allScores: false, key: ranking }, { push: true });
  };
  const label = ranked.length < 2 ? 'Columns' : 'Scores';
  return (
    <div className={styles['line']}>
      <span className="soft">
        {ranked.length < 2
          ? ''
          : shown.length === ranked.length
            ? 'The score that changed most comes first.'
            : `${formatCount(shown.length)} of ${formatCount(ranked.length)} scores, the one that changed most first.`}
      </span>
      <span className={styles['buttons']}>
        <MoreScores count={ranked.length - shown.length} view={view} onView={onView} />
        <PopoverButton
          label={label}
          button={
            <>
              <ListChecks size={14} aria-hidden />
              {label}
            </>
          }
        >
          {ranked.length < 2 ? null : <span className={styles['about']}>Largest change from the baseline</span>}
          {(ranked.length < 2 ? [] : ranked).map(({ key, difference }) => (
            <Checkbox
              key={key}
              value={shown.includes(key)}
              isDisabled={shown.length === 1 && shown[0] === key}
              onChange={(isShown) => change(key, isShown)}
            >
              <span className={styles['name']} dir="auto">
                {key}
              </span>
              {difference === null ? null : <span className={styles['difference']}>{formatSigned(difference)}</span>}
            </Checkbox>
          ))}
          {ranked.length < 2 ? null : (
            <span>
              <Button
                small
                variant="quiet"
                isDisabled={view.scores === null && !view.allScores}
                onPress={() => onView({ scores: null, allScores: false }, { push: true })}
              >
                Reset scores
              </Button>
            </span>
          )}
          <span className={styles['about']}>Other columns</span>
          {EXTRA_COLUMNS.map((column) => (
            <Checkbox
              key={column}
              value={!view.hidden.includes(column)}
              // Without scores the table needs one of them.
              isDisabled={shown.length === 0 && view.hidden.length > 0 && !view.hidden.includes(column)}
              onChange={(isShown) => {
                const others = view.hidden.filter((one) => one !== column);
                onView({ hidden: isShown ? others : [...others, column] }, { push: true });
              }}
            >
              {COLUMN_NAMES[column]}
            </Checkbox>
          ))}
        </PopoverButton>
      </span>
    </div>
  );
}

/** Shows the scores that are left out, and leaves them out again. */
export function MoreScores({ count, view, onView }: { count: number; view: View; onView: ChangeView }) {
  if (count === 0 && !view.allScores) return null;
  return (
    <Button small variant="quiet" onPress={() => onView({ allScores: !view.allScores }, { push: true })}>
      {view.allScores ? 'Fewer scores' : count === 1 ? '1 more score' : `${formatCount(count)} more scores`}
    </Button>
  );
}
