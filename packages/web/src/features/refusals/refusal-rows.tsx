import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount } from '#lib/format/format.ts';
import { reasonOf, statusWords } from '#lib/refusal-reasons.ts';
import type { Refusal } from '#lib/types.ts';
import { Tag } from '#ui/badge.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

const actions: Record<string, string> = {
  activate: 'Activate',
  validate: 'Validate',
  transfer: 'Transfer',
  trial: 'Trial',
  redeem: 'Redeem',
};

const actionOf = ({ action }: Refusal) => actions[action] ?? action;

function Times({ row }: { row: Refusal }) {
  if (row.count < 2) return null;
  return (
    <span className="figures text-sm text-muted" title={`${formatCount(row.count)} times within one second`}>
      <span aria-hidden>×{formatCount(row.count)}</span>
      <span className="sr-only">{formatCount(row.count)} times</span>
    </span>
  );
}

const todoLink =
  'rounded-[3px] font-medium text-text underline decoration-line-strong underline-offset-4 hover:decoration-current';

/** The next step, linked to its screen. There is no link when the target has been deleted. */
function Todo({ row, children }: { row: Refusal; children: string }) {
  const { at } = reasonOf(row);
  if (at === 'serial' && row.serial_id && row.serial)
    return (
      <Link to="/dashboard/serials/$serialId" params={{ serialId: row.serial_id }} className={todoLink}>
        {children}
      </Link>
    );
  if (at === 'product' && row.product_id && row.product_name)
    return (
      <Link to="/products/edit/$productId" params={{ productId: row.product_id }} className={todoLink}>
        {children}
      </Link>
    );
  if (at === 'plan')
    return (
      <Link to="/dashboard/settings" hash="plan" className={todoLink}>
        {children}
      </Link>
    );
  if (at === 'code')
    return (
      <Link
        to="/developer/tools/licensingapi"
        search={row.product_id && row.product_name ? { product: row.product_id } : {}}
        className={todoLink}
      >
        {children}
      </Link>
    );
  return children;
}

function Why({ row }: { row: Refusal }) {
  const { tone, means, todo } = reasonOf(row);
  return (
    <div className="flex flex-col items-start gap-1.5">
      <span className="flex items-center gap-2">
        <Tag tone={tone}>{statusWords(row.status)}</Tag>
        <Times row={row} />
      </span>
      <p className="text-sm text-muted">
        {means} <Todo row={row}>{todo}</Todo>
      </p>
    </div>
  );
}

function Serial({ row, className }: { row: Refusal; className: string }) {
  if (!row.serial_id || !row.serial)
    return <span className="text-sm text-muted">{row.serial_id ? 'Deleted serial' : 'No serial'}</span>;
  return (
    <Link
      to="/dashboard/serials/$serialId"
      params={{ serialId: row.serial_id }}
      className="rounded-[3px] decoration-line-strong underline-offset-4 hover:underline"
    >
      <SerialCode code={row.serial} className={className} />
    </Link>
  );
}

const line = (children: ReactNode, title?: string | null) => (
  <span className="block truncate text-sm" title={title ?? undefined}>
    {children}
  </span>
);

function Machine({ row }: { row: Refusal }) {
  return <code className="font-mono text-sm">{row.machine ?? '–'}</code>;
}

/** Aligns the first lines of a row. */
const top = '[td&]:py-3.5 [td&]:align-top';

export const refusalColumns: Column<Refusal>[] = [
  {
    key: 'when',
    header: 'When',
    bar: '72px',
    className: `w-30 ${top}`,
    cell: (row) => <TimeAgo iso={row.at} className="text-sm text-muted" />,
  },
  {
    key: 'why',
    header: 'Why',
    bar: '85%',
    className: top,
    cell: (row) => <Why row={row} />,
  },
  {
    key: 'action',
    header: 'Call',
    bar: '56px',
    className: `w-24 ${top}`,
    cell: (row) => line(actionOf(row)),
  },
  {
    key: 'serial',
    header: 'Serial and product',
    bar: '180px',
    className: `w-58 ${top}`,
    cell: (row) => (
      <div className="flex max-w-52 min-w-0 flex-col gap-0.5">
        <Serial row={row} className="text-sm" />
        <span className="truncate text-sm text-muted" title={row.product_name ?? undefined}>
          {row.product_name ?? 'Deleted product'}
        </span>
      </div>
    ),
  },
  {
    key: 'machine',
    header: 'Machine',
    bar: '90px',
    className: `w-34 ${top}`,
    cell: (row) => (
      <div className="flex flex-col gap-0.5">
        <Machine row={row} />
        {row.version ? <span className="figures text-sm text-muted">Version {row.version}</span> : null}
      </div>
    ),
  },
];

export function RefusalCard({ row }: { row: Refusal }) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 overflow-x-auto">
          <Serial row={row} className="text-md" />
        </span>
        <TimeAgo iso={row.at} className="shrink-0 text-sm text-muted" />
      </div>
      <Why row={row} />
      <p className="flex flex-wrap gap-x-2 text-sm text-muted">
        <span>{actionOf(row)}</span>
        <span aria-hidden>·</span>
        <span className="min-w-0 wrap-anywhere">{row.product_name ?? 'Deleted product'}</span>
        {row.version ? <span className="figures">{row.version}</span> : null}
        {row.machine ? (
          <>
            <span aria-hidden>·</span>
            <Machine row={row} />
          </>
        ) : null}
      </p>
    </div>
  );
}
