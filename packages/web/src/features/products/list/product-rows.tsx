import { Link, linkOptions } from '@tanstack/react-router';
import { Copy, IdCard, Pencil, Plus, Tags } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import { copyNoted } from '#ui/buttons/copy-noted.ts';
import { Price } from '#ui/figures/price.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { RowMenu } from '#ui/menus/row-menu.tsx';
import { ProductImage } from '#ui/product-image.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import type { RowOf } from '#widgets/lists/list.tsx';
import { ProductState } from '../product-state.tsx';

export type ListedProduct = RowOf<'listProducts'>;

/** Picture and whole name: a long one breaks rather than being cut. */
function ProductCell({ row }: { row: ListedProduct }) {
  return (
    <div className="flex min-w-36 items-center gap-3 py-1.5">
      <ProductImage src={row.image_url} name={row.name} className="size-9 shrink-0 rounded-md" />
      <div className="min-w-0">
        <Link
          to="/dashboard/products/$productId"
          params={{ productId: row.id }}
          data-row-link
          className="rounded-sm leading-5 font-medium wrap-anywhere decoration-line-strong underline-offset-4 hover:underline"
        >
          <bdi>{row.name}</bdi>
        </Link>
        {row.is_draft ? (
          <span className="ml-2 inline-block align-middle">
            <ProductState product={row} />
          </span>
        ) : null}
      </div>
    </div>
  );
}

const count = (value: number | undefined) =>
  value === undefined ? null : <span className="figures">{formatCount(value)}</span>;

const daysLeft = ({ figures }: ListedProduct) =>
  figures?.days_left === null || figures?.days_left === undefined ? null : `${plural(figures.days_left, 'day')} left`;

function Stock({ row }: { row: ListedProduct }) {
  const left = daysLeft(row);
  return (
    <span className="figures block whitespace-nowrap">
      {formatCount(row.serials_available)}
      {left ? <span className="block text-xs text-muted">{left}</span> : null}
    </span>
  );
}

function Files({ row }: { row: ListedProduct }) {
  if (row.file_urls.length === 0) return <span className="text-sm text-muted">None</span>;
  return (
    <span className="figures block text-sm whitespace-nowrap">
      {plural(row.file_urls.length, 'file')}
      {row.figures?.file_version ? (
        <span className="block text-xs wrap-anywhere text-muted">{row.figures.file_version}</span>
      ) : null}
    </span>
  );
}

function ProductActions({ row }: { row: ListedProduct }) {
  return (
    <RowMenu
      label={`Actions for ${row.name}`}
      items={[
        {
          icon: Pencil,
          label: 'Edit',
          to: linkOptions({ to: '/products/edit/$productId', params: { productId: row.id } }),
        },
        {
          icon: Plus,
          label: 'Generate serials',
          to: linkOptions({ to: '/dashboard/serials/generator', search: { product: row.id } }),
        },
        (row.figures?.redeemed ?? 0) > 0 && {
          icon: Tags,
          label: 'Show redeemed serials',
          to: linkOptions({ to: '/dashboard/serials', search: { product: row.id } }),
        },
        { icon: Copy, label: 'Copy name', act: () => copyNoted(row.name, 'the name') },
        { icon: IdCard, label: 'Copy id', act: () => copyNoted(row.id, 'the id') },
      ]}
    />
  );
}

export const columns: Column<ListedProduct>[] = [
  {
    key: 'product',
    header: 'Product',
    sort: 'name',
    bar: '200px',
    className: 'w-1/3',
    cell: (row) => <ProductCell row={row} />,
  },
  {
    key: 'price',
    header: 'Price',
    sort: 'price',
    optional: true,
    bar: '50px',
    className: 'text-right',
    cell: (row) => <Price price={row.sale_price ?? row.price} regular={row.price} small />,
  },
  {
    key: 'stock',
    header: 'Stock',
    sort: 'available',
    optional: true,
    bar: '40px',
    className: 'text-right',
    cell: (row) => <Stock row={row} />,
  },
  {
    key: 'generated',
    header: 'Generated',
    sort: 'generated',
    optional: true,
    bar: '40px',
    className: 'text-right',
    cell: (row) => count(row.figures?.generated),
  },
  {
    key: 'redeemed',
    header: 'Redeemed',
    sort: 'redeemed',
    optional: true,
    bar: '40px',
    className: 'text-right',
    cell: (row) => count(row.figures?.redeemed),
  },
  {
    key: 'revenue',
    header: 'Revenue',
    sort: 'revenue',
    optional: true,
    bar: '60px',
    className: 'text-right',
    cell: (row) => (row.figures ? <span className="figures">{formatMoney(row.figures.revenue)}</span> : null),
  },
  { key: 'files', header: 'Files', optional: true, bar: '50px', cell: (row) => <Files row={row} /> },
  {
    key: 'created',
    header: 'Created',
    sort: 'created_at',
    optional: true,
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.created_at} className="text-sm whitespace-nowrap text-muted" />,
  },
  {
    key: 'actions',
    header: 'Actions',
    quiet: true,
    bar: '16px',
    className: 'w-10 pl-0! pr-3! text-right',
    cell: (row) => <ProductActions row={row} />,
  },
];

export function ProductRowCard({ row, pick }: { row: ListedProduct; pick: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-1">
        {pick}
        <div className="min-w-0 flex-1">
          <ProductCell row={row} />
        </div>
        <ProductActions row={row} />
      </div>
      <div className="figures flex flex-wrap justify-between gap-x-3 text-sm text-muted">
        <Price price={row.sale_price ?? row.price} regular={row.price} small />
        <span>{[`${formatCount(row.serials_available)} available`, daysLeft(row)].filter(Boolean).join(' · ')}</span>
        {row.figures ? (
          <span>
            {formatCount(row.figures.redeemed)} redeemed · {formatMoney(row.figures.revenue)}
          </span>
        ) : null}
      </div>
    </div>
  );
}
