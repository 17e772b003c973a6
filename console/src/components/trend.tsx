import { lazy, Suspense } from 'react';
import type { TrendProps } from './trend-chart.js';

const Chart = lazy(() => import('./trend-chart.js'));

/** Loads the chart library on first use. */
export function Trend(props: TrendProps) {
  return (
    <Suspense
      fallback={<span style={{ display: 'inline-block', width: props.width ?? 120, height: props.height ?? 28 }} />}
    >
      <Chart {...props} />
    </Suspense>
  );
}
