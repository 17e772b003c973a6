import type { Comparison } from '../../../api/evaluation.js';
import { Dialog } from '../../../components/dialog.js';
import { formatPercent } from '../../../components/format.js';
import styles from './verdict-help.module.css';

interface VerdictHelpProps {
  comparison: Comparison;
  isOpen: boolean;
  onClose: () => void;
}

/** A short form of docs/verdicts.md. Saved files and servers without internet access show it, too. */
export function VerdictHelp({
  comparison: { confidence, correction, experiments },
  isOpen,
  onClose,
}: VerdictHelpProps) {
  const needed = experiments.find(({ versus_baseline: versus }) => versus !== null)?.versus_baseline?.latency
    .changed_pairs_min;
  return (
    <Dialog title="How verdicts are made" isOpen={isOpen} onClose={onClose}>
      <div className={styles['text']}>
        <p>
          Even an experiment that changes nothing gets slightly different scores. A verdict says that the difference is
          too large for chance.
        </p>
        <ol>
          <li>A pair is an example with a value in both experiments. Only pairs count, also for the means.</li>
          <li>If nothing had changed, the two values of a pair could be swapped without harm.</li>
          <li>
            The server swaps them at random, thousands of times. It counts how often the difference is as large as the
            real one.
          </li>
          <li>
            If that happens in at most {formatPercent(1 - confidence)} of the cases, the verdict is Better or Worse.
          </li>
        </ol>
        {needed === undefined ? null : (
          <p>
            At {formatPercent(confidence)}, at least {needed} pairs must have changed. With fewer, chance alone could
            make all of them agree, and no verdict is possible.
          </p>
        )}
        <p>
          The interval contains all differences that the same test does not rule out. 0 is inside exactly if there is no
          verdict.
        </p>
        <p>
          {correction === 'holm'
            ? 'The confidence applies to all verdicts together (Holm’s correction), so single intervals are wider.'
            : 'The confidence applies to each verdict. With many scores, let it apply to all verdicts together.'}
        </p>
        <p className="soft">More: docs/verdicts.md in the documentation of Threadmill.</p>
      </div>
    </Dialog>
  );
}
