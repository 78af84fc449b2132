import { toCsv } from '@tonerow/sdk/csv';
import type { ChartData } from './types.ts';

/** A chart's table as a file: every point, also those that the drawing leaves out, and plain numbers. */
export const csvOf = ({ axis, columns, points }: ChartData): string =>
  toCsv(
    [axis, ...columns.map((column) => column.name)],
    points.map((point) => [point.title, ...columns.map((_, at) => point.values[at] ?? 0)]),
  );
