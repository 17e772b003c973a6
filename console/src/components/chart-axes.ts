import type uPlot from 'uplot';

const DAYS_WITH_HOURS = 2;

/** A canvas resolves neither custom properties nor light-dark(), so it takes the computed colors of an element. */
export function chartAxis(element: HTMLElement): uPlot.Axis {
  const style = getComputedStyle(element);
  return {
    stroke: style.color,
    grid: { stroke: style.borderTopColor, width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
}

/** The hour of a time on an axis, or the day if the axis is longer. Both in seconds. */
export function axisTimeName(time: number, lengthSeconds: number): string {
  const date = new Date(time * 1_000);
  return lengthSeconds > DAYS_WITH_HOURS * 86_400
    ? date.toLocaleDateString(undefined, { month: 'short', day: 'numeric' })
    : date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}
