import { useQuery } from '@tanstack/react-query';
import { isStatus } from '#lib/errors.ts';
import { plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { q } from '#lib/queries/operation.ts';
import type { ProductOverview } from '#lib/types.ts';
import { LinkButton } from '#ui/button.tsx';
import { FigureCards } from '#ui/figures/figure-cards.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { RecordBar } from '#widgets/lists/record-bar.tsx';
import { ProductState } from '../product-state.tsx';
import { ProductTabs } from '../product-tabs.tsx';
import { Files } from './files.tsx';
import { PluginSide } from './plugin-side.tsx';
import { SalesCards } from './sales-cards.tsx';
import { UnlockSection } from './unlock/unlock-section.tsx';
import { Versions } from './versions.tsx';

/** Everything about one product that its developer asks for. */
export function ProductScreen({ id }: { id: string }) {
  const overview = useQuery(q('getProductOverview', { path: { id } }));
  useTitle(overview.data?.name ?? 'Product');
  return (
    <>
      <RecordBar kind="products" id={id} list={{ to: '/products/edit' }} back="Back to Products" />
      {overview.data ? (
        <Whole product={overview.data} />
      ) : isStatus(overview.error, 404) || isStatus(overview.error, 400) ? (
        <Empty
          heading="h1"
          title="Product not found"
          action={<LinkButton to="/products/edit">Back to Products</LinkButton>}
        >
          It may have been deleted, or the link is incomplete.
        </Empty>
      ) : overview.isError ? (
        <Panel>
          <Failed
            heading="h1"
            title="This product couldn't be loaded"
            error={overview.error}
            retry={overview.refetch}
            retrying={overview.isFetching}
          />
        </Panel>
      ) : (
        <Skeleton id={id} />
      )}
    </>
  );
}

function Whole({ product }: { product: ProductOverview }) {
  return (
    <>
      <PageHeader
        title={product.name}
        actions={
          <LinkButton to="/dashboard/serials/generator" search={{ product: product.id }}>
            Generate serials
          </LinkButton>
        }
      >
        <span className="figures inline-flex flex-wrap items-center gap-x-3 gap-y-1">
          <ProductState product={product} />
          {plural(product.stock.available, 'serial')} available
        </span>
      </PageHeader>
      <ProductTabs id={product.id} />
      <SalesCards product={product} />
      <nav aria-label="Of this product" className="mt-4 flex flex-wrap gap-2">
        <LinkButton size="sm" to="/dashboard/serials" search={{ product: product.id }}>
          Redeemed serials
        </LinkButton>
        <LinkButton size="sm" to="/dashboard/serials/available" search={{ view: 'list', product: product.id }}>
          Available serials
        </LinkButton>
        <LinkButton size="sm" to="/dashboard/serials/batches" search={{ product: product.id }}>
          Batches
        </LinkButton>
        <LinkButton size="sm" to="/developer/tools/refusals" search={{ product: product.id }}>
          Refusals
        </LinkButton>
      </nav>
      <div className="mt-8 grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-2">
        <div className="flex flex-col gap-8">
          <Files files={product.files} productId={product.id} />
          <Versions productId={product.id} hasFiles={product.files.length > 0} />
        </div>
        <PluginSide product={product} />
      </div>
      <UnlockSection product={product} />
    </>
  );
}

function Skeleton({ id }: { id: string }) {
  return (
    <div role="status">
      <span className="sr-only">Loading the product</span>
      <span className="skeleton block h-8 w-64" />
      <span className="skeleton mt-2 mb-6 block h-4 w-40" />
      <ProductTabs id={id} />
      <Panel className="overflow-hidden">
        <FigureCards>
          {['Today', 'Last 30 days', 'Ever', 'Stock'].map((name) => (
            <div key={name} className="h-[105px] border-t border-l border-line px-5 py-4">
              <span className="skeleton block h-4 w-20" />
              <span className="skeleton mt-3 block h-5 w-24" />
            </div>
          ))}
        </FigureCards>
      </Panel>
      <span className="skeleton mt-20 block h-5 w-32" />
    </div>
  );
}
