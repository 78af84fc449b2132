import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTitle } from '#lib/hooks.ts';
import { type CatalogFilter, catalogDealsQuery, catalogProductsQuery } from '#lib/queries/catalog.ts';
import { LinkButton } from '#ui/button.tsx';
import { PageHeader } from '#ui/page.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { CardList } from './card-list.tsx';
import { CatalogBar } from './catalog-bar.tsx';
import { DealCard } from './deal-card.tsx';
import { ProductCard } from './product-card.tsx';

interface CatalogPageProps {
  tab: 'products' | 'deals';
  filter: CatalogFilter;
  onFilter: (filter: CatalogFilter) => void;
}

/** Everything that a reseller can sell: products, and the deals that developers made for them. */
export function CatalogPage({ tab, filter, onFilter }: CatalogPageProps) {
  useTitle('Product Hub');
  const search = useSearch({ from: '/_app/reseller/products' });
  return (
    <>
      <PageHeader title="Product Hub">Products and deals of the developers you sell for.</PageHeader>
      <TabNav label="Product Hub" className="mb-6">
        <TabLink to="/reseller/products" search={{ ...search, tab: undefined }} current={tab === 'products'}>
          Products
        </TabLink>
        <TabLink to="/reseller/products" search={{ ...search, tab: 'deals' }} current={tab === 'deals'}>
          Deals
        </TabLink>
      </TabNav>
      <CatalogBar filter={filter} onFilter={onFilter} />
      {tab === 'products' ? (
        <Products filter={filter} onFilter={onFilter} />
      ) : (
        <Deals filter={filter} onFilter={onFilter} />
      )}
    </>
  );
}

type ListProps = Pick<CatalogPageProps, 'filter' | 'onFilter'>;

const invite = (
  <LinkButton to="/reseller/partners" variant="primary">
    Open your developers
  </LinkButton>
);

function Products({ filter, onFilter }: ListProps) {
  const list = useInfiniteQuery(catalogProductsQuery(filter));
  return (
    <CardList
      list={list}
      what="product"
      filter={filter}
      onFilter={onFilter}
      card={(row) => <ProductCard key={row.product_id} product={row} />}
      empty="Products appear here once you and a developer are connected and the developer has published them."
      action={invite}
    />
  );
}

function Deals({ filter, onFilter }: ListProps) {
  const list = useInfiniteQuery(catalogDealsQuery(filter));
  return (
    <CardList
      list={list}
      what="deal"
      filter={filter}
      onFilter={onFilter}
      card={(row) => <DealCard key={row.id} deal={row} />}
      empty="Deals are serials at a special price that a developer made for you."
      action={
        <LinkButton to="/reseller/my-deals" variant="primary">
          Open My deals
        </LinkButton>
      }
    />
  );
}
