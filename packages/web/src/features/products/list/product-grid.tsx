import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { Sparkline } from '#charts/sparkline.tsx';
import { formatCount, plural } from '#lib/format/format.ts';
import { useRowKeys } from '#lib/keyboard/row-keys.ts';
import { cursorPage } from '#lib/lists/trail.ts';
import { useTrail } from '#lib/lists/use-trail.ts';
import { productsQuery, sparklinesQuery } from '#lib/queries/products.ts';
import type { Product } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { HelpLink } from '#ui/buttons/help-link.tsx';
import { cn } from '#ui/cn.ts';
import { Price } from '#ui/figures/price.tsx';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { Panel } from '#ui/page.tsx';
import { ProductImage } from '#ui/product-image.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { ProductState } from '../product-state.tsx';
import { type ProductLook, ProductLooks } from './product-looks.tsx';

interface ProductGridProps {
  search: string;
  onSearch: (text: string) => void;
  onLook: (look: ProductLook) => void;
  onCreate: () => void;
}

const grid = 'grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3';

export function ProductGrid({ search, onSearch, onLook, onCreate }: ProductGridProps) {
  const list = useQuery(productsQuery(search));
  const { data } = list;
  const recent = useQuery(sparklinesQuery(data?.rows.map(({ id }) => id)));
  const cards = useRef<HTMLDivElement>(null);
  useRowKeys(cards, { create: onCreate });
  useTrail(
    cards,
    data && !list.isPlaceholderData
      ? {
          kind: 'products',
          list: 'cards',
          query: search ? { search } : {},
          total: data.total,
          exact: true,
          page: cursorPage(undefined, 0, data.next_cursor),
        }
      : undefined,
    data?.rows.map(({ id }) => id),
  );
  const sales = new Map(recent.data?.products.map((each) => [each.product_id, each.redemptions]));
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <SearchInput
          value={search}
          onChange={onSearch}
          placeholder="Search products..."
          label="Search products"
          className="w-full sm:max-w-[400px]"
        />
        <div className="flex items-center gap-4">
          <p className="figures text-sm text-muted" aria-live="polite">
            {data ? plural(data.total, search ? 'match' : 'product', search ? 'matches' : 'products') : null}
          </p>
          <ProductLooks look="cards" onLook={onLook} />
        </div>
      </div>
      {list.isError ? (
        <Panel>
          <Failed
            title="Products couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        </Panel>
      ) : !data ? (
        <GridSkeleton />
      ) : data.rows.length === 0 ? (
        <Panel>
          {search ? (
            <Empty title="No products found" action={<Button onClick={() => onSearch('')}>Clear the search</Button>}>
              No product has “{search}” in its name.
            </Empty>
          ) : (
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
          )}
        </Panel>
      ) : (
        <div ref={cards}>
          <ul className={cn(grid, 'transition-opacity', list.isPlaceholderData && 'opacity-60')}>
            {data.rows.map((product) => (
              <ProductCard key={product.id} product={product} sales={recent.data && (sales.get(product.id) ?? none)} />
            ))}
          </ul>
          {data.total > data.rows.length ? (
            <div className="figures mt-6 flex flex-wrap items-center justify-center gap-3 text-sm text-muted">
              The first {data.rows.length} of {formatCount(data.total)} are shown. Search to find the others.
              <Button size="sm" onClick={() => onLook('table')}>
                Show all as a table
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </>
  );
}

const none = Array.from({ length: 30 }, () => 0);

interface ProductCardProps {
  product: Product;
  /** Redemptions of the last 30 days; undefined while they load, or when they don't: the card is good without. */
  sales: number[] | undefined;
}

function ProductCard({ product, sales }: ProductCardProps) {
  const redeemed = sales?.reduce((sum, value) => sum + value, 0) ?? 0;
  return (
    <li>
      <Panel className="flex h-full flex-col overflow-hidden">
        <ProductImage
          src={product.image_url}
          name={product.name}
          large
          className="aspect-[16/9] w-full border-b border-line"
        />
        <div className="flex flex-1 flex-col gap-3 p-4">
          <div className="flex items-start justify-between gap-3">
            <h2 className="min-w-0 font-semibold wrap-anywhere">
              <Link
                to="/dashboard/products/$productId"
                params={{ productId: product.id }}
                data-row-link
                className="rounded-[3px] decoration-line-strong underline-offset-4 hover:underline"
              >
                {product.name}
              </Link>
            </h2>
            {product.is_draft ? <ProductState product={product} /> : null}
          </div>
          <Price price={product.sale_price ?? product.price} regular={product.price} />
          <div className="h-11">
            {sales ? (
              <>
                <Sparkline values={sales} label={`${plural(redeemed, 'redemption')} of ${product.name} in 30 days`} />
                <p className="figures mt-0.5 text-xs text-muted" aria-hidden>
                  {plural(redeemed, 'redemption')} in 30 days
                </p>
              </>
            ) : null}
          </div>
          <div className="mt-auto flex items-center justify-between gap-3">
            <span className="figures text-sm text-muted">
              {plural(product.serials_available ?? 0, 'serial')} available
            </span>
            <LinkButton to="/products/edit/$productId" params={{ productId: product.id }} size="sm">
              Edit<span className="sr-only"> {product.name}</span>
            </LinkButton>
          </div>
        </div>
      </Panel>
    </li>
  );
}

function GridSkeleton() {
  return (
    <div className={grid} role="status">
      <span className="sr-only">Loading products</span>
      {Array.from({ length: 6 }, (_, index) => (
        <Panel key={index} className="overflow-hidden">
          <span className="skeleton block aspect-[16/9] w-full rounded-none" />
          <div className="flex flex-col gap-3 p-4">
            <span className="skeleton h-5 w-2/3" />
            <span className="skeleton h-6 w-1/4" />
            <span className="skeleton h-8 w-full" />
          </div>
        </Panel>
      ))}
    </div>
  );
}
