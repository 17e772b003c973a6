import { lazy, Suspense } from 'react';
import styles from './time-chart.module.css';
import type { TimeChartProps } from './time-chart-canvas.js';

const Canvas = lazy(() => import('./time-chart-canvas.js'));

/** Loads the chart library on first use. */
export function TimeChart(props: TimeChartProps) {
  return (
    <Suspense fallback={<div className={styles['chart']} />}>
      <Canvas {...props} />
    </Suspense>
  );
}
