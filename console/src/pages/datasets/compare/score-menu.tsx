import { ListChecks } from 'lucide-react';
import { Button } from '../../../components/button.js';
import { Checkbox } from '../../../components/field.js';
import { formatCount } from '../../../components/format.js';
import { PopoverButton } from '../../../components/popover-button.js';
import { formatSigned } from '../../../shared/scores.js';
import type { ScoreChange } from './score-choice.js';
import type { ChangeView, View } from './view.js';
import styles from './score-menu.module.css';

interface ScoreMenuProps {
  /** All scores, the one that changed most first. */
  ranked: readonly ScoreChange[];
  shown: readonly string[];
  /** The score that examples are ranked by. */
  feedbackKey: string | null;
  view: View;
  onView: ChangeView;
}

/** Says which scores the summary shows, and lets the person choose others. */
export function ScoreMenu({ ranked, shown, feedbackKey, view, onView }: ScoreMenuProps) {
  const change = (key: string, isShown: boolean): void => {
    const next = isShown ? [...shown, key] : shown.filter((one) => one !== key);
    // The examples keep their order, unless the score that ranks them is removed.
    const ranking = isShown || key !== feedbackKey ? feedbackKey : null;
    onView({ scores: next, allScores: false, key: ranking }, { push: true });
  };
  return (
    <div className={styles['line']}>
      <span className="soft">
        {shown.length === ranked.length
          ? 'The score that changed most comes first.'
          : `${formatCount(shown.length)} of ${formatCount(ranked.length)} scores, the one that changed most first.`}
      </span>
      <span className={styles['buttons']}>
        <MoreScores count={ranked.length - shown.length} view={view} onView={onView} />
        <PopoverButton
          label="Scores"
          button={
            <>
              <ListChecks size={14} aria-hidden />
              Scores
            </>
          }
        >
          <span className={styles['about']}>Largest change from the baseline</span>
          {ranked.map(({ key, difference }) => (
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
