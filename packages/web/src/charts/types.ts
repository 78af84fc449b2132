export interface ChartColumn {
  name: string;
  format: (value: number) => string;
  /** Short, for the axis: `$1.2K`. */
  tick?: (value: number) => string;
  /** No halves on the axis. */
  whole?: boolean;
}

/** What a chart draws and what its table says. The first column is drawn; all of them stand in the tooltip and the table. */
export interface ChartData {
  /** What the points are, such as `Day`. */
  axis: string;
  columns: [ChartColumn, ...ChartColumn[]];
  points: ChartPoint[];
}

interface ChartPoint {
  /** Under the axis. */
  label: string;
  /** In full, for the tooltip and the table. */
  title: string;
  values: [number, ...number[]];
}

/** `line` and `columns` run over time, `bars` compare names and lie on their side. */
export type ChartKind = 'line' | 'columns' | 'bars';
