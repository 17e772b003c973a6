import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { useEffect, useRef } from 'react';
import { chartAxis } from './chart-axes.js';
import { formatNumber } from './format.js';
import styles from './trend.module.css';

export interface TrendProps {
  /** Text alternative for screen readers, completed with the values. */
  label: string;
  /** Values in order; null is a gap. */
  values: readonly (number | null)[];
  /** Unix time in seconds of each value. Without times the values are evenly spaced. */
  times?: readonly number[];
  width?: number;
  height?: number;
  /** With axes and a cursor, as wide as the parent. */
  large?: boolean;
  format?: (value: number) => string;
}

/** A line chart. */
export default function TrendChart({
  label,
  values,
  times,
  width = 120,
  height = 28,
  large = false,
  format = formatNumber,
}: TrendProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current!;
    const plot = new uPlot(
      optionsOf(element, { width, height, large, format, times: times !== undefined }),
      [[...(times ?? values.map((_, at) => at))], [...values]],
      element,
    );
    if (!large) return () => plot.destroy();
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [values, times, width, height, large, format]);
  const known = values.filter((value) => value !== null);
  const summary =
    known.length === 0
      ? 'no values'
      : `${known.length} values, from ${format(known[0]!)} to ${format(known.at(-1)!)}, lowest ${format(Math.min(...known))}, highest ${format(Math.max(...known))}`;
  return (
    <div
      ref={box}
      role="img"
      aria-label={`${label}: ${summary}`}
      className={large ? styles['large'] : styles['small']}
    />
  );
}

function optionsOf(
  element: HTMLElement,
  {
    width,
    height,
    large,
    format,
    times,
  }: { width: number; height: number; large: boolean; format: (value: number) => string; times: boolean },
): uPlot.Options {
  const style = getComputedStyle(element);
  const axis = chartAxis(element);
  return {
    width: large ? element.clientWidth : width,
    height,
    legend: { show: large },
    cursor: { show: large, drag: { x: false, y: false } },
    padding: large ? [8, 8, 0, 0] : [3, 3, 3, 3],
    scales: { x: { time: times } },
    axes: large
      ? [
          {
            ...axis,
            values: times
              ? (null as never)
              : (_plot, splits) => splits.map((one) => (Number.isInteger(one) ? String(one + 1) : '')),
          },
          { ...axis, size: 64, values: (_plot, splits) => splits.map(format) },
        ]
      : [{ show: false }, { show: false }],
    series: [
      {},
      {
        label: '',
        stroke: style.outlineColor,
        width: 1.5,
        spanGaps: true,
        points: { show: large, size: 5 },
        value: (_plot, value) => (value === null ? '' : format(value)),
      },
    ],
  };
}
