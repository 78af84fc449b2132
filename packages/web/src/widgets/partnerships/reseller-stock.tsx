import { useInfiniteQuery } from '@tanstack/react-query';
import { formatCount } from '#lib/format/format.ts';
import { resellerStockQuery } from '#lib/queries/counterparts.ts';
import type { ResellerStockRow as Row } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { MoreLine } from '#ui/lists/more-line.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Parts } from '#ui/parts.tsx';
import { Failed } from '#ui/states.tsx';

interface ResellerStockProps {
  /** The partnership's id for a developer, the developer's for a reseller. */
  id: string;
  side: 'developer' | 'reseller';
}

const number = (
  key: 'given' | 'available' | 'not_for_sale' | 'handed_out' | 'redeemed',
  header: string,
): Column<Row> => ({
  key,
  header,
  className: 'figures text-right',
  cell: (row) => formatCount(row[key]),
});

const columns: Column<Row>[] = [
  { key: 'product', header: 'Product', cell: (row) => <Product row={row} /> },
  number('given', 'Given'),
  number('available', 'Available'),
  number('not_for_sale', 'Not for sale'),
  number('handed_out', 'Handed out'),
  number('redeemed', 'Redeemed'),
];

/** The serials that a reseller was given of each product, and their state now. */
export function ResellerStock({ id, side }: ResellerStockProps) {
  const stock = useInfiniteQuery(resellerStockQuery(side, id));
  const rows = stock.data?.pages.flatMap((page) => page.rows);
  return (
    <section aria-labelledby="reseller-stock" className="mt-8">
      <h2 id="reseller-stock" className="mb-4 font-semibold">
        Stock
      </h2>
      {stock.isError && !stock.data ? (
        <Panel>
          <Failed
            title="The stock couldn't be loaded"
            error={stock.error}
            retry={stock.refetch}
            retrying={stock.isFetching}
          />
        </Panel>
      ) : rows?.length === 0 ? (
        <p className="text-muted">
          {side === 'developer'
            ? 'No serials yet. Choose this reseller when you generate serials.'
            : 'No serials yet. They appear here once the developer gives you some.'}
        </p>
      ) : (
        <Panel>
          <DataTable
            caption="Stock by product"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.product_id}
            skeletonRows={3}
            card={(row) => (
              <>
                <Product row={row} />
                <p className="figures mt-1 text-sm text-muted">
                  <Parts
                    of={[
                      `${formatCount(row.available)} available`,
                      `${formatCount(row.not_for_sale)} not for sale`,
                      `${formatCount(row.handed_out)} handed out`,
                      `${formatCount(row.redeemed)} redeemed`,
                      `${formatCount(row.given)} given`,
                    ]}
                  />
                </p>
              </>
            )}
          />
          <MoreLine list={stock} shown={rows?.length ?? 0} total={stock.data?.pages[0]?.total} one="product" />
        </Panel>
      )}
    </section>
  );
}

function Product({ row }: { row: Row }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <span className="min-w-0 wrap-anywhere font-medium">{row.product_name}</span>
      {row.low ? (
        <Badge tone="warn" means="Fewer are left than the alert level.">
          Low
        </Badge>
      ) : null}
    </span>
  );
}
