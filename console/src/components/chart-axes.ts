import type uPlot from 'uplot';

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
