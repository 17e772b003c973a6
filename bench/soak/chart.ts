import { init, type EChartsOption } from 'echarts';
import { lowerEnvelope, afterWarmUp } from './judge.js';
import { SERIES } from './series.js';
import type { SoakResult } from './soak.js';
import { pointsOf, warmUpEnd } from './verdicts.js';

const COLUMNS = 2;
const WIDTH = 1_200;
const ROW = 190;
const MARGIN = { left: 60, top: 34, bottom: 34 };
const CHART_WIDTH = WIDTH / COLUMNS - MARGIN.left - 30;

/**
 * Draws an SVG with a small chart of every series over minutes: samples, the warm-up in grey, and the judged lower
 * envelope. Apache ECharts needs no browser and no DOM, and has two packages. Vega has more than twenty packages, parts
 * of d3 among them, and Observable Plot needs a DOM.
 */
export function chart(result: SoakResult): string {
  const canvas = init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: WIDTH,
    height: Math.ceil(SERIES.length / COLUMNS) * ROW,
  });
  canvas.setOption(optionOf(result));
  const svg = canvas.renderToSVGString();
  canvas.dispose();
  return svg;
}

function optionOf(result: SoakResult): EChartsOption {
  const places = SERIES.map((_, at) => ({
    left: (at % COLUMNS) * (WIDTH / COLUMNS) + MARGIN.left,
    top: Math.floor(at / COLUMNS) * ROW + MARGIN.top,
  }));
  const begun = result.samples[0]!.at;
  const minutes = (at: number): number => (at - begun) / 60;
  return {
    animation: false,
    backgroundColor: '#fff',
    title: SERIES.map(({ title, unit }, at) => ({
      text: unit === '' ? title : `${title} (${unit})`,
      left: places[at]!.left,
      top: places[at]!.top - 28,
      textStyle: { fontSize: 12 },
    })),
    grid: places.map((place) => ({ ...place, width: CHART_WIDTH, height: ROW - MARGIN.top - MARGIN.bottom })),
    xAxis: SERIES.map((_, at) => ({
      type: 'value',
      gridIndex: at,
      min: 0,
      max: minutes(result.samples.at(-1)!.at),
      axisLabel: { fontSize: 9, formatter: (value: number) => `${Number(value.toFixed(1))} min` },
    })),
    yAxis: SERIES.map((_, at) => ({ type: 'value', gridIndex: at, axisLabel: { fontSize: 9 } })),
    series: SERIES.flatMap((series, at) => {
      const points = pointsOf(result, series);
      const place = { type: 'line' as const, xAxisIndex: at, yAxisIndex: at, showSymbol: false };
      return [
        {
          ...place,
          data: points.map(({ at: time, value }) => [minutes(time), value]),
          lineStyle: { width: 1, color: '#7fa7d6' },
          markArea: {
            silent: true,
            itemStyle: { color: '#eee' },
            data: [[{ xAxis: 0 }, { xAxis: minutes(warmUpEnd(points)) }]],
          },
        },
        {
          ...place,
          data: lowerEnvelope(afterWarmUp(points)).map(({ at: time, value }) => [minutes(time), value]),
          lineStyle: { width: 2, color: '#b3372f' },
        },
      ];
    }),
  };
}
