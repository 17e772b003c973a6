import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { useEffect, useRef } from 'react';
import { axisTimeName, chartAxis } from './chart-axes.js';
import styles from './time-chart.module.css';

/** Named by meaning: `main` in the accent color, `bad` for errors, `soft` for what is compared with. */
export type ChartColor = 'main' | 'bad' | 'soft';

export interface TimeChartProps {
  /** Text alternative for screen readers. */
  label: string;
  /** Unix time in seconds of the beginning of each interval. */
  times: readonly number[];
  /** Length of an interval. */
  intervalSeconds: number;
  /** Null is a gap. Bars are drawn over each other in their order. */
  series: readonly { name: string; values: readonly (number | null)[]; color: ChartColor; bars?: boolean }[];
  format: (value: number) => string;
}

const HEIGHT = 136;
/** Part of an interval that a bar takes. */
const BAR_WIDTH = 0.8;
const BAR_WIDTH_MAX = 40;
/** A line with more values shows no points. */
const POINTS_MAX = 48;

/** Values over time, with axes, as wide as its parent. The values under the pointer are in the legend. */
export default function TimeChartCanvas({ label, times, intervalSeconds, series, format }: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current!;
    const plot = new uPlot(
      optionsOf(element, { times, intervalSeconds, series, format }),
      [[...times], ...series.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, intervalSeconds, series, format]);
  return <div ref={box} role="img" aria-label={label} className={styles['chart']} />;
}

function optionsOf(
  element: HTMLElement,
  { times, intervalSeconds, series, format }: Omit<TimeChartProps, 'label'>,
): uPlot.Options {
  const style = getComputedStyle(element);
  // Zero-width borders pass the computed colors to the canvas.
  const colors = { main: style.outlineColor, bad: style.borderBottomColor, soft: style.color };
  const axis = chartAxis(element);
  const hasBars = series.some(({ bars }) => bars);
  const isSparse = (values: readonly (number | null)[]): boolean =>
    values.filter((value) => value !== null).length <= POINTS_MAX;
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 24, 0, 0],
    scales: {
      x: { time: true, range: hasBars ? [first - intervalSeconds / 2, last + intervalSeconds / 2] : [first, last] },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      { ...axis, size: 28, values: (_plot, splits) => splits.map((one) => axisTimeName(one, last - first)) },
      { ...axis, size: 60, space: 28, values: (_plot, splits) => splits.map(format) },
    ],
    series: [
      {},
      ...series.map(({ name, values, color, bars }): uPlot.Series => ({
        label: name,
        stroke: colors[color],
        width: bars ? 0 : 1.5,
        spanGaps: true,
        // A single value has no line. Many points would hide it.
        points: { show: !bars && isSparse(values), size: 4, fill: colors[color] },
        ...(bars ? { fill: colors[color], paths: uPlot.paths.bars!({ size: [BAR_WIDTH, BAR_WIDTH_MAX] }) } : {}),
      })),
    ],
  };
}
