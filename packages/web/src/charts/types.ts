export interface ChartColumn {
  name: string;
  format: (value: number) => string;
  /** Short, for the axis: `$1.2K`. */
  tick?: (value: number) => string;
  /** Whole numbers only on the axis. */
  whole?: boolean;
  /** Marks the part of a stack that sums up everything without a part of its own. */
  others?: boolean;
}

/**
 * Data of a chart and its table. The chart draws the first column (`lines`: the first two, `stacked` and `shares`: all but the first,
 * which is their sum); the tooltip and the table show all of them.
 */
export interface ChartData {
  /** The name of the points, such as `Day`. */
  axis: string;
  columns: [ChartColumn, ...ChartColumn[]];
  points: ChartPoint[];
}

interface ChartPoint {
  /** Under the axis. */
  label: string;
  /** The full label, for the tooltip and the table. */
  title: string;
  values: [number, ...number[]];
}

/**
 * `line` and `columns` plot values over time; `lines` the first two columns, each on an axis of its own; `stacked` its parts on each
 * other; `bars` are horizontal and compare names, `shares` are such bars of parts. Between two days nothing is known, so lines are straight.
 */
export type ChartKind = 'line' | 'lines' | 'columns' | 'stacked' | 'bars' | 'shares';

/** Names beside each other, from top to bottom. */
export const isHorizontal = (kind: ChartKind) => kind === 'bars' || kind === 'shares';
/** Made of parts that are told apart by their colors. */
export const hasParts = (kind: ChartKind) => kind === 'stacked' || kind === 'shares';
