import { toCsv } from '@tonerow/sdk/csv';

interface Days {
  startDate: string;
  endDate: string;
}

interface Figure {
  name: string;
  now: number;
  before: number | null;
}

/** Figures with what they are compared with, as a file. */
export function figuresCsv(
  figures: Figure[],
  { startDate, endDate, previous }: Days & { previous: Days | null },
): string {
  return toCsv(
    [
      'Figure',
      `${startDate} to ${endDate}`,
      previous ? `${previous.startDate} to ${previous.endDate}` : 'Before',
      'Change %',
    ],
    figures.map(({ name, now, before }) => [
      name,
      now,
      before,
      before ? Math.round(((now - before) / Math.abs(before)) * 1000) / 10 : null,
    ]),
  );
}
