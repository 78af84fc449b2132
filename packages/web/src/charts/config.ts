import type { ChartConfiguration, ChartDataset, Plugin, ScaleOptionsByType } from 'chart.js';
import type { Palette } from './palette.ts';
import { type ChartColumn, type ChartData, type ChartKind, hasParts, isHorizontal } from './types.ts';

type Type = 'line' | 'bar';

/** A hairline under the pointer, so that a day can be read off exactly. */
export const crosshair: Plugin = {
  id: 'crosshair',
  beforeDatasetsDraw(chart) {
    const at = chart.getActiveElements()[0]?.element.x;
    if (at === undefined || chart.getDatasetMeta(0).type !== 'line') return;
    const { ctx, chartArea } = chart;
    const x = Math.round(at) + 0.5;
    ctx.save();
    ctx.strokeStyle = String(chart.options.borderColor);
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.moveTo(x, chartArea.top);
    ctx.lineTo(x, chartArea.bottom);
    ctx.stroke();
    ctx.restore();
  },
};

function dataset(kind: ChartKind, data: ChartData, palette: Palette): ChartDataset<Type, number[]> {
  const shared = { label: data.columns[0].name, data: data.points.map((point) => point.values[0]) };
  if (kind === 'line' || kind === 'lines') {
    return {
      ...shared,
      type: 'line',
      borderColor: palette.mark,
      borderWidth: 1.75,
      backgroundColor: palette.soft,
      fill: 'origin',
      pointRadius: data.points.length === 1 ? 4 : 0,
      pointBackgroundColor: palette.mark,
      pointHoverRadius: 4.5,
      pointHoverBackgroundColor: palette.mark,
      pointHoverBorderColor: palette.surface,
      pointHoverBorderWidth: 2,
    };
  }
  return {
    ...shared,
    type: 'bar',
    backgroundColor: palette.bar,
    hoverBackgroundColor: palette.mark,
    borderRadius: 3,
    borderSkipped: 'start',
    maxBarThickness: kind === 'bars' ? 18 : 26,
    categoryPercentage: 0.86,
    barPercentage: kind === 'bars' ? 0.8 : 0.86,
  };
}

/** The second column as a dashed line over the first, on the axis at the right. */
function secondLine(data: ChartData, palette: Palette): ChartDataset<Type, number[]>[] {
  const column = data.columns[1];
  if (!column) return [];
  return [
    {
      type: 'line',
      label: column.name,
      data: data.points.map((point) => point.values[1] ?? 0),
      yAxisID: 'y1',
      // over the area, which it would be hidden behind where both rise and fall alike
      order: -1,
      borderColor: palette.second,
      borderWidth: 1.75,
      borderDash: [5, 3],
      pointRadius: data.points.length === 1 ? 4 : 0,
      pointBackgroundColor: palette.second,
      pointHoverRadius: 4.5,
      pointHoverBackgroundColor: palette.second,
      pointHoverBorderColor: palette.surface,
      pointHoverBorderWidth: 2,
    },
  ];
}

/** All columns but the first, on each other. */
function stack(kind: ChartKind, data: ChartData, palette: Palette): ChartDataset<Type, number[]>[] {
  return data.columns.slice(1).map((column, index) => ({
    type: 'bar',
    label: column.name,
    data: data.points.map((point) => point.values[index + 1] ?? 0),
    backgroundColor: palette.part(index, column.others === true),
    borderColor: palette.surface,
    // a hairline between two parts of similar color
    borderWidth: isHorizontal(kind) ? { right: 1 } : { top: 1 },
    borderSkipped: false,
    maxBarThickness: isHorizontal(kind) ? 18 : 26,
    categoryPercentage: 0.86,
    barPercentage: 0.86,
  }));
}

function scales(kind: ChartKind, data: ChartData, palette: Palette, narrow: boolean) {
  const font = { family: palette.font, size: 12 };
  const valuesOf = (column: ChartColumn): object => ({
    beginAtZero: true,
    grace: '4%',
    border: { display: false },
    grid: { color: palette.grid, drawTicks: false },
    ticks: {
      font,
      color: palette.text,
      padding: 8,
      maxTicksLimit: 4,
      ...(column.whole ? { precision: 0 } : {}),
      callback: (value: string | number) => (column.tick ?? column.format)(Number(value)),
    },
  });
  const values = valuesOf(data.columns[0]);
  const second = kind === 'lines' && data.columns[1];
  const names: object = {
    grid: { display: false },
    border: { color: palette.axis },
    ticks: {
      font,
      color: palette.text,
      padding: 6,
      maxRotation: 0,
      autoSkip: !isHorizontal(kind),
      autoSkipPadding: 28,
      ...(isHorizontal(kind) ? { crossAlign: 'far' } : { maxTicksLimit: narrow ? 4 : 7 }),
    },
  };
  const [x, y] = isHorizontal(kind) ? [values, names] : [names, values];
  if (hasParts(kind)) {
    Object.assign(x, { stacked: true });
    Object.assign(y, { stacked: true });
  }
  const y1 = second ? { y1: { ...valuesOf(second), position: 'right', grid: { display: false } } } : {};
  return { x, y, ...y1 } as { x: ScaleOptionsByType<'category'>; y: ScaleOptionsByType<'linear'> };
}

const shorten = (label: string, most: number) =>
  label.length > most ? `${label.slice(0, most - 1).trimEnd()}…` : label;

/** There is room for two lines beside a bar. The tooltip and the table show longer text in full. */
function linesOf(label: string, most: number): string | string[] {
  if (label.length <= most) return label;
  const space = label.lastIndexOf(' ', most);
  return space > 0 ? [label.slice(0, space), shorten(label.slice(space + 1), most)] : shorten(label, most);
}

export function configOf(
  kind: ChartKind,
  data: ChartData,
  palette: Palette,
  { narrow, still }: { narrow: boolean; still: boolean },
): ChartConfiguration<Type, number[], string | string[]> {
  return {
    type: kind === 'line' || kind === 'lines' ? 'line' : 'bar',
    data: {
      labels: data.points.map((point) => (isHorizontal(kind) ? linesOf(point.label, narrow ? 14 : 20) : point.label)),
      datasets: hasParts(kind)
        ? stack(kind, data, palette)
        : [dataset(kind, data, palette), ...(kind === 'lines' ? secondLine(data, palette) : [])],
    },
    options: {
      indexAxis: isHorizontal(kind) ? 'y' : 'x',
      animation: still ? false : { duration: 260, easing: 'easeOutCubic' },
      responsive: true,
      maintainAspectRatio: false,
      // one redraw after the last change of width, not one for every pixel
      resizeDelay: 120,
      borderColor: palette.axis,
      interaction: { mode: 'index', axis: isHorizontal(kind) ? 'y' : 'x', intersect: false },
      layout: { padding: { top: 8, right: 6 } },
      scales: scales(kind, data, palette, narrow),
    },
    plugins: [crosshair],
  };
}
