import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { useEffect, useRef } from 'react';
import { axisTimeName, chartAxis } from './chart-axes.js';
import { formatNumber } from './format.js';
import styles from './trend.module.css';

/** Steps between names on the horizontal axis. */
const NAME_STEPS = [1, 2, 5, 10, 20, 50, 100];
/** A line with more values shows no points. */
const POINTS_MAX = 48;

export interface TrendProps {
  /** Text alternative for screen readers, completed with the values. */
  label: string;
  /** Values in order; null is a gap. */
  values: readonly (number | null)[];
  /** Unix time in seconds of each value. Without times the values are evenly spaced. */
  times?: readonly number[];
  /** Name of each value on the horizontal axis, without times. */
  names?: readonly string[];
  width?: number;
  height?: number;
  /** With axes, as wide as the parent. */
  large?: boolean;
  format?: (value: number) => string;
}

/** A line chart. */
export default function TrendChart({
  label,
  values,
  times,
  names,
  width = 120,
  height = 28,
  large = false,
  format = formatNumber,
}: TrendProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current!;
    const plot = new uPlot(
      optionsOf(element, { width, height, large, format, times, names }),
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
  }, [values, times, names, width, height, large, format]);
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

interface ChartOptions extends Required<Pick<TrendProps, 'width' | 'height' | 'large' | 'format'>> {
  times: readonly number[] | undefined;
  names: readonly string[] | undefined;
}

function optionsOf(element: HTMLElement, { width, height, large, format, times, names }: ChartOptions): uPlot.Options {
  const style = getComputedStyle(element);
  const axis = chartAxis(element);
  const lengthSeconds = times === undefined ? 0 : (times.at(-1) ?? 0) - (times[0] ?? 0);
  const nameOf = (place: number): string =>
    times === undefined ? (names?.[place] ?? '') : axisTimeName(place, lengthSeconds);
  return {
    width: large ? element.clientWidth : width,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: large ? [8, 20, 0, 0] : [3, 3, 3, 3],
    scales: {
      x: { time: times !== undefined },
      ...(large ? { y: { range: (_plot, min, max) => valueRange(min, max) } } : {}),
    },
    axes: large
      ? [
          {
            ...axis,
            size: 28,
            space: 56,
            ...(names === undefined ? {} : { incrs: NAME_STEPS }),
            values: (_plot, splits) => withoutRepeats(splits.map(nameOf)),
          },
          { ...axis, size: 56, space: 28, values: (_plot, splits) => splits.map(format) },
        ]
      : [{ show: false }, { show: false }],
    series: [
      {},
      {
        label: '',
        stroke: style.outlineColor,
        width: 1.5,
        spanGaps: true,
        points: { show: large && (times ?? names ?? []).length <= POINTS_MAX, size: 5, fill: style.outlineColor },
      },
    ],
  };
}

/** Values of the vertical axis: somewhat more than those of the line, and not below 0 without reason. */
function valueRange(min: number, max: number): [number, number] {
  const margin = min === max ? Math.abs(max) / 2 : (max - min) / 10;
  const low = min < 0 ? min - margin : Math.max(0, min - margin);
  return [low, max + margin > low ? max + margin : low + 1];
}

/** Leaves out a name that is the same as the one before. */
function withoutRepeats(names: readonly string[]): string[] {
  return names.map((name, at) => (name === names[at - 1] ? '' : name));
}
