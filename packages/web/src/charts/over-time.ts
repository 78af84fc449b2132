import { formatFullDay, formatMonth, formatPeriod, formatShortDay, formatShortMonth } from '#lib/time/period.ts';
import type { ChartColumn, ChartData } from './types.ts';

export type Step = 'day' | 'week' | 'month';

/** Beyond a quarter, daily points are noise. */
export function stepOf(days: number): Step {
  if (days <= 92) return 'day';
  return days <= 730 ? 'week' : 'month';
}

export const paces: Record<Step, string> = { day: 'by day', week: 'by week', month: 'by month' };

const axes: Record<Step, string> = { day: 'Day', week: 'Week', month: 'Month' };

/** One point for each day, week or month of the days, which are in their order and without gaps. */
export function overTime(
  days: string[],
  columns: [ChartColumn, ...ChartColumn[]],
  valuesOf: (days: string[]) => [number, ...number[]],
  step: Step = stepOf(days.length),
): ChartData {
  // a day alone would leave the year open
  const years = step !== 'day' && days[0]?.slice(0, 4) !== days.at(-1)?.slice(0, 4);
  const points = bucketsOf(days, step).map((bucket) => {
    const [from = '', to = ''] = [bucket[0], bucket.at(-1)];
    return {
      label: step === 'month' || years ? formatShortMonth(from) : formatShortDay(from),
      title: step === 'day' ? formatFullDay(from) : step === 'month' ? formatMonth(from) : formatPeriod({ from, to }),
      values: valuesOf(bucket),
    };
  });
  return { axis: axes[step], columns, points };
}

function bucketsOf(days: string[], step: Step): string[][] {
  const buckets = new Map<string | number, string[]>();
  days.forEach((day, index) => {
    const key = step === 'month' ? day.slice(0, 7) : step === 'week' ? Math.floor(index / 7) : day;
    const bucket = buckets.get(key);
    if (bucket) bucket.push(day);
    else buckets.set(key, [day]);
  });
  return [...buckets.values()];
}

/** A line chart in one sentence, for screen readers. */
export function peakOf({ columns, points }: ChartData): string {
  const peak = points.reduce<ChartData['points'][number] | undefined>(
    (best, point) => (best && best.values[0] >= point.values[0] ? best : point),
    undefined,
  );
  return peak ? `The most was ${columns[0].format(peak.values[0])}, ${peak.title}.` : '';
}
