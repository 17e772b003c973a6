import { Badge } from '../components/badge.js';
import { formatNumber } from '../components/format.js';
import { JsonTree } from '../components/json-tree.js';
import { EmptyState } from '../components/note.js';
import { Time } from '../components/time.js';
import type { Feedback } from '../api/evaluation.js';
import styles from './feedback-list.module.css';

export type FeedbackEntry = Pick<Feedback, 'id' | 'key' | 'score' | 'value' | 'comment'> &
  Partial<Pick<Feedback, 'correction' | 'feedback_source' | 'created_at'>> & { source?: string | null };

/** All feedback on a run. */
export function FeedbackList({ feedback }: { feedback: readonly FeedbackEntry[] }) {
  if (feedback.length === 0)
    return <EmptyState title="No feedback on this run">Add feedback with an evaluator or the API.</EmptyState>;
  return (
    <ul className={styles['list']}>
      {feedback.map((one) => (
        <li key={one.id} className={styles['one']}>
          <div className={styles['head']}>
            <strong dir="auto">{one.key}</strong>
            {one.score === null ? null : (
              <span className={styles['score']}>
                {typeof one.score === 'number' ? formatNumber(one.score) : String(one.score)}
              </span>
            )}
            {one.value === null || one.value === undefined || typeof one.value === 'object' ? null : (
              <Badge>{one.value as string}</Badge>
            )}
            <span className="soft">
              {sourceOf(one)}
              {one.created_at === undefined ? null : (
                <>
                  {' · '}
                  <Time at={one.created_at} />
                </>
              )}
            </span>
          </div>
          {one.comment === null || one.comment === '' ? null : (
            <p dir="auto" className={styles['comment']}>
              {one.comment}
            </p>
          )}
          {typeof one.value === 'object' && one.value !== null ? (
            <JsonTree label={`Value of ${one.key}`} value={one.value} rows={8} />
          ) : null}
          {one.correction === null || one.correction === undefined ? null : (
            <>
              <h4 className={styles['small']}>Correction</h4>
              <JsonTree label={`Correction of ${one.key}`} value={one.correction} rows={8} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

function sourceOf({ feedback_source: source, source: plain }: FeedbackEntry): string {
  const type = source?.['type'] ?? plain;
  const name = source?.['user_name'];
  return `from ${typeof type === 'string' ? type : 'api'}${typeof name === 'string' ? `, ${name}` : ''}`;
}
