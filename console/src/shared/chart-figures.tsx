import { Link } from 'wouter';
import { formatCount } from '../components/format.js';
import { TimeChart } from '../components/time-chart.js';
import type { TimeChartProps } from '../components/time-chart-canvas.js';
import styles from './chart-figures.module.css';

/** A chart with a number above it that a person should see first. */
export interface ChartFigure extends Pick<TimeChartProps, 'series' | 'format'> {
  name: string;
  /** Of the whole time. */
  figure: string;
  note: string;
  /** Where the name leads. */
  to?: string;
  /** Where the note leads. */
  noteTo?: string;
}

/** Charts of the same time, side by side where there is room. */
export function ChartFigures({
  charts,
  times,
  intervalSeconds,
}: Pick<TimeChartProps, 'times' | 'intervalSeconds'> & { charts: readonly ChartFigure[] }) {
  return (
    <div className={styles['charts']}>
      {charts.map(({ name, figure, note, to, noteTo, ...chart }) => (
        <figure key={name} className={styles['figure']}>
          <figcaption>
            <span className={styles['name']}>{to === undefined ? name : <Link href={to}>{name}</Link>}</span>
            <span className={styles['value']}>{figure}</span>
            <span className={styles['note']}>{noteTo === undefined ? note : <Link href={noteTo}>{note}</Link>}</span>
          </figcaption>
          <TimeChart
            label={`${name}: ${figure}${note === '' ? '' : `, ${note}`}`}
            {...{ times, intervalSeconds }}
            {...chart}
          />
          {chart.series.length < 2 ? null : (
            <ul className={styles['legend']}>
              {chart.series.map(({ name: one, color }) => (
                <li key={one}>
                  <span aria-hidden className={styles[color]} />
                  {one}
                </li>
              ))}
            </ul>
          )}
        </figure>
      ))}
    </div>
  );
}

/** For an axis of counts, which has no half traces. */
export function wholeCount(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : '';
}
