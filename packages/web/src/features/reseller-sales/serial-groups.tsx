import { formatCount, plural } from '#lib/format/format.ts';
import type { SalesDashboard } from '#lib/types.ts';
import { LinkButton, TextLink } from '#ui/button.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Parts } from '#ui/parts.tsx';
import { Empty } from '#ui/states.tsx';
import { DownloadStock } from '#widgets/sales/download-stock.tsx';

type Group = SalesDashboard['serialGroups'][number];

interface SerialGroupsProps {
  /** Undefined while loading. */
  groups: Group[] | undefined;
  /** How many groups there are, also those that are not listed. */
  total: number;
}

/** The serials that a reseller was given of each product. */
export function SerialGroups({ groups, total }: SerialGroupsProps) {
  return (
    <section aria-labelledby="serial-groups" className="mt-8">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="serial-groups" className="font-semibold">
          Your serials
        </h2>
        {groups && total > groups.length ? (
          <p className="text-sm text-muted">
            The first {formatCount(groups.length)} of {plural(total, 'product')}
          </p>
        ) : null}
      </div>
      <Panel className="overflow-hidden">
        {groups?.length === 0 ? (
          <Empty
            title="No serials yet"
            action={<LinkButton to="/reseller/products">See the products</LinkButton>}
            className="py-12"
          >
            Developers assign serials to you when they generate them. They appear here, ready to sell.
          </Empty>
        ) : (
          <DataTable
            caption="Your serials by product"
            columns={columns}
            rows={groups}
            rowKey={(group) => `${group.developer_id} ${group.product_id}`}
            card={(group) => <GroupCard group={group} />}
            skeletonRows={4}
          />
        )}
      </Panel>
    </section>
  );
}

const number = (
  key: 'total' | 'redeemed' | 'handed_out' | 'remaining' | 'not_for_sale' | 'in_files',
  header: string,
): Column<Group> => ({
  key,
  header,
  bar: '36px',
  className: 'text-right',
  cell: (group) => <span className="figures">{formatCount(group[key])}</span>,
});

const columns: Column<Group>[] = [
  { key: 'product', header: 'Product', bar: '140px', cell: (group) => <ProductLink group={group} /> },
  {
    key: 'developer',
    header: 'Developer',
    bar: '110px',
    cell: (group) => (
      <span className="block max-w-48 truncate text-muted" title={group.developer_name}>
        {group.developer_name}
      </span>
    ),
  },
  {
    key: 'rate',
    header: 'Commission',
    bar: '40px',
    className: 'text-right',
    cell: (group) => <span className="figures">{group.commission_rate}%</span>,
  },
  number('total', 'Total'),
  number('redeemed', 'Redeemed'),
  number('handed_out', 'Handed Out'),
  number('remaining', 'Remaining'),
  number('not_for_sale', 'Not for Sale'),
  number('in_files', 'In Files'),
  {
    key: 'download',
    header: 'CSV',
    bar: '120px',
    className: 'text-right',
    cell: (group) =>
      group.remaining > 0 ? <DownloadStock id={group.product_id} product={group.product_name} /> : null,
  },
];

function ProductLink({ group }: { group: Group }) {
  return (
    <span className="block max-w-60 truncate" title={group.product_name}>
      <TextLink to="/reseller/products" search={{ product: group.product_id }}>
        {group.product_name}
      </TextLink>
    </span>
  );
}

function GroupCard({ group }: { group: Group }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3">
        <ProductLink group={group} />
        <span className="figures shrink-0 text-sm text-muted">{group.commission_rate}% commission</span>
      </div>
      <p className="wrap-anywhere text-sm text-muted">{group.developer_name}</p>
      <p className="figures text-sm">
        <span className="whitespace-nowrap">{formatCount(group.remaining)} remaining</span>
        <span className="text-muted">
          {' '}
          ·{' '}
          <Parts
            of={[
              `${formatCount(group.redeemed)} redeemed`,
              group.handed_out > 0 && `${formatCount(group.handed_out)} handed out`,
              group.not_for_sale > 0 && `${formatCount(group.not_for_sale)} not for sale now`,
              group.in_files > 0 && `${formatCount(group.in_files)} in files`,
              `${formatCount(group.total)} in all`,
            ]}
          />
        </span>
      </p>
      {group.remaining > 0 ? (
        <div className="mt-1">
          <DownloadStock id={group.product_id} product={group.product_name} />
        </div>
      ) : null}
    </div>
  );
}
