import { useQuery } from '@tanstack/react-query';
import { toCsv } from '@tonerow/sdk/csv';
import { Download } from 'lucide-react';
import { api } from '#lib/api.ts';
import { saveFile } from '#lib/files/download.ts';
import { useTitle } from '#lib/hooks.ts';
import { cursorPage } from '#lib/lists/trail.ts';
import { viewFilter } from '#lib/lists/view-filter.ts';
import { q } from '#lib/queries/operation.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { HelpLink } from '#ui/buttons/help-link.tsx';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { CursorPages } from '#ui/lists/cursor-pages.tsx';
import { FilterRow, searchClass } from '#ui/lists/filter-row.tsx';
import { ListFrame, type Picked } from '#ui/lists/list-frame.tsx';
import { Empty } from '#ui/states.tsx';
import { ChoiceFilters, chosenIn, kindOf } from '#widgets/lists/choice-filters.tsx';
import { useSave } from '#widgets/lists/use-save.ts';
import { ViewsMenu } from '#widgets/lists/views-menu.tsx';
import { type ProductLook, ProductLooks } from './product-looks.tsx';
import { columns, ProductRowCard } from './product-rows.tsx';
import {
  filterQuery,
  hasChosen,
  type ListedProduct,
  nothing,
  type ProductFilter,
  type ProductSort,
  pageSize,
  productTableQuery,
} from './product-table-query.ts';

const kinds = [
  kindOf.words('status', 'Status', { submitted: 'Submitted', draft: 'Draft' }),
  kindOf.words('stock', 'Stock', { empty: 'No serials left', low: 'Low', enough: 'Enough' }),
  kindOf.words('files', 'Files', { with: 'With files', without: 'Without files' }),
  kindOf.words('price', 'Price', { priced: 'Full price', sale: 'On sale', free: 'Free', unset: 'No price' }),
] as const;

interface ProductTableProps {
  filter: ProductFilter;
  sort: ProductSort;
  page: number;
  cursor: string | undefined;
  /** Another order comes with the filter of a view. */
  onFilter: (filter: ProductFilter, sort?: string) => void;
  onSort: (by: string) => void;
  onPage: (page: number, cursor?: string) => void;
  onLook: (look: ProductLook) => void;
  onCreate: () => void;
}

export function ProductTable(props: ProductTableProps) {
  const { filter, sort, page, cursor, onFilter, onSort, onPage, onLook, onCreate } = props;
  useTitle('Products');
  const list = useQuery(productTableQuery(filter, sort, cursor));
  const { data } = list;
  const query = filterQuery(filter);
  return (
    <>
      <FilterRow
        many
        chosen={chosenIn(kinds, filter)}
        onClear={() => onFilter({ ...nothing, search: filter.search })}
        search={
          <SearchInput
            value={filter.search}
            onChange={(search) => onFilter({ ...filter, search })}
            placeholder="Search products..."
            label="Search products"
            className={searchClass}
          />
        }
        actions={
          <>
            <ProductLooks look="table" onLook={onLook} />
            <ExportAll filter={filter} sort={sort} />
          </>
        }
      >
        <ChoiceFilters
          kinds={kinds}
          value={filter}
          onChange={(chosen) => onFilter({ ...filter, ...chosen })}
          counts={q('listProductChoices', { query })}
        />
      </FilterRow>
      <ListFrame
        table="products"
        caption="Products"
        one="product"
        failed="Products couldn't be loaded"
        list={list}
        rows={data?.rows}
        rowKey={(row) => row.id}
        nameOf={(row) => row.name}
        columns={columns}
        card={(row, pick) => <ProductRowCard row={row} pick={pick} />}
        sort={{ by: sort ?? '-created_at', onSort }}
        which={JSON.stringify(query)}
        matching={data && { total: data.total, exact: true }}
        actions={(picked) => <BulkActions picked={picked} filter={filter} sort={sort} />}
        views={(shown) => (
          <ViewsMenu
            list="products"
            filter={viewFilter(query, sort)}
            columns={shown}
            onApply={({ sort: order = '', ...view }) => onFilter({ ...nothing, ...view }, order)}
          />
        )}
        empty={<NoProducts filter={filter} later={page > 1} onFilter={onFilter} onFirst={() => onPage(1)} />}
        footer={
          data ? (
            <CursorPages data={data} pageSize={pageSize} one="product" page={page} cursor={cursor} onPage={onPage} />
          ) : null
        }
        onCreate={onCreate}
        trail={
          data && {
            kind: 'products',
            list: 'products',
            query: { ...query, ...(sort ? { sort } : {}) },
            total: data.total,
            exact: true,
            page: cursorPage(cursor, (page - 1) * pageSize, data.next_cursor),
          }
        }
        skeletonRows={8}
      />
    </>
  );
}

interface ExportAllProps {
  filter: ProductFilter;
  sort: ProductSort;
  small?: boolean;
}

/** Everything that matches the filter, in the order of the table. */
function ExportAll({ filter, sort, small = false }: ExportAllProps) {
  const save = useSave(
    'products.csv',
    () =>
      api.stream.exportProducts(
        { query: { ...filterQuery(filter), ...(sort ? { sort } : {}) } },
        { accept: 'text/csv' },
      ),
    'Export failed.',
  );
  return (
    <Button onClick={() => save.mutate()} busy={save.isPending} {...(small ? { size: 'sm' } : {})}>
      <Download className="-ml-0.5 size-4" aria-hidden />
      {small ? 'Export all' : 'Export CSV'}
    </Button>
  );
}

const header = [
  'ID',
  'Name',
  'Status',
  'Price',
  'Sale Price',
  'Available',
  'Generated',
  'Redeemed',
  'Revenue',
  'Files',
  'Version',
  'Created',
];

/** A product is deleted on its own page, where its name is typed; many at once can only be taken along. */
function BulkActions({ picked, filter, sort }: { picked: Picked<ListedProduct> } & ExportAllProps) {
  if (picked.everything) return <ExportAll filter={filter} sort={sort} small />;
  const save = () =>
    saveFile('products.csv', [
      toCsv(
        header,
        picked.rows.map((row) => [
          row.id,
          row.name,
          row.is_draft ? 'draft' : 'submitted',
          row.price,
          row.sale_price,
          row.serials_available,
          row.figures?.generated,
          row.figures?.redeemed,
          row.figures?.revenue,
          row.file_urls.length,
          row.figures?.file_version,
          row.created_at,
        ]),
      ),
    ]);
  return (
    <Button size="sm" onClick={save}>
      <span>
        Export<span className="max-md:sr-only"> selected</span>
      </span>
    </Button>
  );
}

interface NoProductsProps {
  filter: ProductFilter;
  later: boolean;
  onFilter: (filter: ProductFilter) => void;
  onFirst: () => void;
}

function NoProducts({ filter, later, onFilter, onFirst }: NoProductsProps) {
  if (later) {
    return (
      <Empty title="Nothing on this page" action={<Button onClick={onFirst}>Go to the first page</Button>}>
        The list has become shorter.
      </Empty>
    );
  }
  if (filter.search || hasChosen(filter)) {
    return (
      <Empty title="No products found" action={<Button onClick={() => onFilter(nothing)}>Clear the filter</Button>}>
        No product matches the search and the filters.
      </Empty>
    );
  }
  return (
    <Empty
      title="No products yet"
      action={
        <LinkButton to="/products/add" variant="primary">
          Add your first product
        </LinkButton>
      }
    >
      Add one, generate serials for it, and hand them to your customers. <HelpLink guide="first-batch" />
    </Empty>
  );
}
