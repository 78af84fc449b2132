import { useQuery } from '@tanstack/react-query';
import { toCsv } from '@tonerow/sdk/csv';
import { Download } from 'lucide-react';
import { saveFile } from '#lib/files/download.ts';
import { formatCount, formatMoney, plural, toCents, toDollars } from '#lib/format/format.ts';
import { byDeveloperQuery } from '#lib/queries/sales.ts';
import type { SalesByDeveloper } from '#lib/types.ts';
import { IconButton } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import type { Window } from './windows.ts';

/** As many as have a shade of their own; the rest is one part. */
const most = 5;
const shades = ['opacity-100', 'opacity-75', 'opacity-55', 'opacity-40', 'opacity-25'];

interface Part {
  key: string;
  name: string;
  redemptions: number;
  commission: number;
  swatch: string;
}

/** Whose products a reseller sold: two stacked bars, and the figures behind them. */
export function DeveloperShares({ days }: { days: Window }) {
  const list = useQuery(byDeveloperQuery(days));
  const parts = list.data && partsOf(list.data);
  return (
    <Panel className={cn('p-5 transition-opacity', list.isPlaceholderData && 'opacity-60')}>
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm font-medium text-muted">By developer</h3>
        {list.data && list.data.length > 0 ? (
          <IconButton
            label="Save by developer as CSV"
            className="-my-1 -mr-1.5 print:hidden"
            onClick={() => saveFile('by-developer.csv', [csvOf(list.data)])}
          >
            <Download aria-hidden />
          </IconButton>
        ) : null}
      </div>
      {list.isError ? (
        <Failed
          title="The developers couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
          className="py-8"
        />
      ) : parts?.length === 0 ? (
        <p className="mt-3 rounded-md border border-dashed border-line-strong px-6 py-10 text-center text-sm text-muted">
          Nothing was redeemed in this period.
        </p>
      ) : (
        <div className="mt-4 grid grid-cols-1 gap-x-8 gap-y-5 lg:grid-cols-2">
          <div className="flex flex-col justify-center gap-5" aria-hidden>
            <Stack name="Redemptions" parts={parts} of={(part) => part.redemptions} format={formatCount} />
            <Stack name="Commission" parts={parts} of={(part) => part.commission} format={formatMoney} />
          </div>
          <Legend parts={parts} />
        </div>
      )}
    </Panel>
  );
}

/** All of them, also those that share a part of the picture. */
const csvOf = (rows: SalesByDeveloper) =>
  toCsv(
    ['Developer', 'Redemptions', 'Commission'],
    rows.map((row) => [row.developer, row.redemptions, row.commission_earned]),
  );

function Legend({ parts }: { parts: Part[] | undefined }) {
  return (
    <table className="w-full text-left text-sm">
      <caption className="sr-only">Redemptions and commission by developer</caption>
      <thead>
        <tr className="border-b border-line text-xs text-muted">
          <th scope="col" className="h-9 font-medium">
            Developer
          </th>
          <th scope="col" className="w-28 px-2 text-right font-medium">
            Redemptions
          </th>
          <th scope="col" className="w-28 text-right font-medium">
            Commission
          </th>
        </tr>
      </thead>
      <tbody className="figures divide-y divide-line">
        {parts
          ? parts.map((part) => (
              <tr key={part.key}>
                <th scope="row" className="h-9 w-full max-w-0 font-normal" title={part.name}>
                  <span className="flex items-center gap-2.5">
                    <span className={cn('size-2.5 shrink-0 rounded-[3px]', part.swatch)} aria-hidden />
                    <span className="truncate">{part.name}</span>
                  </span>
                </th>
                <td className="px-2 text-right">{formatCount(part.redemptions)}</td>
                <td className="text-right">{formatMoney(part.commission)}</td>
              </tr>
            ))
          : [0, 1, 2].map((row) => (
              <tr key={row}>
                <td colSpan={3} className="h-9">
                  <span className="skeleton block h-4" />
                </td>
              </tr>
            ))}
      </tbody>
    </table>
  );
}

interface StackProps {
  name: string;
  parts: Part[] | undefined;
  of: (part: Part) => number;
  format: (value: number) => string;
}

function Stack({ name, parts, of, format }: StackProps) {
  // refunds of earlier sales can make a part negative, which has no width
  const shares = parts?.map((part) => ({ part, value: Math.max(0, of(part)) })).filter(({ value }) => value > 0);
  return (
    <div>
      <p className="mb-1.5 text-xs text-muted">{name}</p>
      {!shares ? (
        <span className="skeleton block h-7 w-full" />
      ) : (
        <div className="flex h-7 gap-0.5 overflow-hidden rounded-md bg-sunken">
          {shares.map(({ part, value }) => (
            <span
              key={part.key}
              title={`${part.name}: ${format(value)}`}
              className={cn('min-w-0.5', part.swatch)}
              style={{ flexGrow: value, flexBasis: 0 }}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function partsOf(rows: SalesByDeveloper): Part[] {
  const shown = rows.slice(0, rows.length > most + 1 ? most : most + 1);
  const rest = rows.slice(shown.length);
  const parts = shown.map((row, at) => ({
    key: row.developer_id,
    name: row.developer,
    redemptions: row.redemptions,
    commission: row.commission_earned,
    swatch: at < shades.length ? `bg-[var(--chart-1)] ${shades[at]}` : 'bg-[var(--chart-2)]',
  }));
  if (rest.length === 0) return parts;
  return [
    ...parts,
    {
      key: 'others',
      name: plural(rest.length, 'other developer'),
      redemptions: rest.reduce((sum, row) => sum + row.redemptions, 0),
      commission: toDollars(rest.reduce((sum, row) => sum + toCents(row.commission_earned), 0)),
      swatch: 'bg-[var(--chart-2)]',
    },
  ];
}
