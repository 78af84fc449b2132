import type { ChartData } from './types.ts';

export interface Spot {
  index: number;
  x: number;
  y: number;
}

/** The values under the pointer. Screen readers use the table. */
interface ChartTooltipProps {
  spot: Spot;
  data: ChartData;
  width: number;
  /** Placed below the point: beside it, it would cover a bar. */
  below: boolean;
}

export function ChartTooltip({ spot, data, width, below }: ChartTooltipProps) {
  const point = data.points[spot.index];
  if (!point) return null;
  const leftward = spot.x > width / 2;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-10 max-w-64 min-w-36 rounded-md bg-raised px-3 py-2 text-sm shadow-overlay"
      style={{
        top: below ? spot.y + 16 : Math.max(0, spot.y - 28),
        ...(leftward ? { right: width - spot.x + 14 } : { left: spot.x + 14 }),
      }}
    >
      <p className="truncate text-xs text-muted">{point.title}</p>
      <dl className="figures mt-0.5">
        {data.columns.map((column, index) => (
          <div key={index} className="flex justify-between gap-5">
            <dt className="truncate text-muted">{column.name}</dt>
            <dd className="font-medium">{column.format(point.values[index] ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
