import type { Difference } from '../../../api/evaluation.js';
import { formatNumber, formatPercent } from '../../../components/format.js';
import { formatSigned } from '../../../shared/scores.js';
import styles from './interval-bar.module.css';

const WIDTH = 168;
const HEIGHT = 18;
const EDGE = 4;

/** A confidence interval as a bar around 0. `reach`: largest distance from 0 among all bars of the same scale. */
export function IntervalBar({
  difference: { interval, difference, interval_confidence: confidence, verdict },
  reach,
  format = formatNumber,
}: {
  difference: Difference;
  reach: number;
  format?: (value: number) => string;
}) {
  if (interval === null || difference === null)
    return <span className="soft">No interval: too few pairs for {formatPercent(confidence)}</span>;
  const [low, high] = interval;
  const x = (value: number): number => WIDTH / 2 + (reach === 0 ? 0 : value / reach) * (WIDTH / 2 - EDGE);
  const description = `${formatPercent(confidence)} interval from ${formatSigned(low, format)} to ${formatSigned(high, format)}, ${verdict === 'not_enough_evidence' ? 'with 0 inside' : 'without 0'}`;
  return (
    <span className={styles['whole']}>
      <svg
        role="img"
        aria-label={description}
        width={WIDTH}
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className={`${styles['bar']} ${styles[verdict]}`}
      >
        <line x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} className={styles['axis']} />
        <rect
          x={x(low)}
          width={Math.max(2, x(high) - x(low))}
          y={HEIGHT / 2 - 4}
          height={8}
          rx={2}
          className={styles['span']}
        />
        <line x1={WIDTH / 2} x2={WIDTH / 2} y1={0} y2={HEIGHT} className={styles['zero']} />
        <circle cx={x(difference)} cy={HEIGHT / 2} r={3} className={styles['point']} />
      </svg>
      <span aria-hidden className={styles['ends']}>
        <span>{formatSigned(low, format)}</span>
        <span>0</span>
        <span>{formatSigned(high, format)}</span>
      </span>
    </span>
  );
}
