import type { ChartData } from './types.ts';

/** The same figures as a table, for people who can't see the chart or want to copy them. */
export function ChartTable({ data, caption }: { data: ChartData; caption: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section className="h-full overflow-auto" tabIndex={0} aria-label={caption}>
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-surface">
          <tr>
            <th scope="col" className="h-9 border-b border-line pr-4 text-xs font-medium text-muted">
              {data.axis}
            </th>
            {data.columns.map((column, at) => (
              <th
                key={at}
                scope="col"
                className="min-w-24 border-b border-line px-2 text-right text-xs font-medium text-muted last:pr-1"
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="figures divide-y divide-line">
          {data.points.map((point, index) => (
            <tr key={index}>
              <th scope="row" className="h-9 pr-4 font-normal">
                {point.title}
              </th>
              {data.columns.map((column, at) => (
                <td key={at} className="px-2 text-right last:pr-1">
                  {column.format(point.values[at] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
