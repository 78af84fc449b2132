import { useQuery } from '@tanstack/react-query';
import { isStatus } from '#lib/errors.ts';
import { formatCount } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { developerQuery } from '#lib/queries/counterparts.ts';
import type { DeveloperProfile as Developer } from '#lib/types.ts';
import { BackLink, LinkButton, TextLink } from '#ui/button.tsx';
import { Price } from '#ui/figures/price.tsx';
import { Panel } from '#ui/page.tsx';
import { CounterpartProfile, ProfileSkeleton } from '#ui/partnerships/counterpart-profile.tsx';
import { ProductImage } from '#ui/product-image.tsx';
import { Empty, Failed, Notice } from '#ui/states.tsx';
import { ResellerStock } from '#widgets/partnerships/reseller-stock.tsx';

/** One developer, as a reseller sees them. */
export function DeveloperPage({ id }: { id: string }) {
  const developer = useQuery(developerQuery(id));
  useTitle(developer.data?.company_name ?? 'Developer');
  // a partnership that ended while the page was open must not stay on it
  const isMissing = isStatus(developer.error, 404) || isStatus(developer.error, 400);
  return (
    <>
      <BackLink to="/reseller/partners" search={{}} className="mb-5">
        Partners
      </BackLink>
      {isMissing ? (
        <Panel>
          <Empty
            heading="h1"
            title="Developer not found"
            action={
              <LinkButton to="/reseller/partners" search={{}}>
                See your developers
              </LinkButton>
            }
          >
            You don’t work together, or no longer do.
          </Empty>
        </Panel>
      ) : developer.data ? (
        <CounterpartProfile
          counterpart={developer.data}
          side="reseller"
          actions={
            <>
              <LinkButton to="/reseller/products" search={{ developer: id }}>
                Products and deals
              </LinkButton>
              <LinkButton
                to="/reseller/transactions"
                search={{ tab: 'transactions', search: developer.data.company_name }}
              >
                Transactions
              </LinkButton>
              <LinkButton to="/reseller/transactions" search={{ tab: 'payouts' }}>
                Statements
              </LinkButton>
            </>
          }
        >
          <Products developer={developer.data} />
          {developer.data.status === 'active' ? <ResellerStock id={id} side="reseller" /> : null}
        </CounterpartProfile>
      ) : developer.isError ? (
        <Panel>
          <Failed
            heading="h1"
            title="This developer couldn't be loaded"
            error={developer.error}
            retry={developer.refetch}
            retrying={developer.isFetching}
          />
        </Panel>
      ) : (
        <ProfileSkeleton />
      )}
    </>
  );
}

function Products({ developer }: { developer: Developer }) {
  return (
    <section aria-labelledby="developer-products" className="mt-8">
      <h2 id="developer-products" className="mb-4 font-semibold">
        Products
      </h2>
      {developer.status === 'paused' ? (
        <Notice tone="warn">
          {developer.company_name} has paused your partnership. Their products, deals and stock are not available until
          they resume it. Serials that are already out can be redeemed and earn commission.
        </Notice>
      ) : developer.products.length === 0 ? (
        <p className="text-muted">{developer.company_name} has not published any products yet.</p>
      ) : (
        <Panel>
          <ul className="divide-y divide-line" aria-label="Products">
            {developer.products.map((product) => (
              <li key={product.id} className="flex items-center gap-3 px-5 py-3">
                <ProductImage
                  src={product.image_url}
                  name={product.name}
                  className="size-9 shrink-0 rounded-md border border-line"
                />
                <span className="min-w-0 flex-1 truncate">
                  <TextLink to="/reseller/products" search={{ product: product.id }}>
                    {product.name}
                  </TextLink>
                </span>
                <Price price={product.sale_price ?? product.price} regular={product.price} />
              </li>
            ))}
          </ul>
          {developer.products_total > developer.products.length ? (
            <p className="border-t border-line px-5 py-3 text-sm text-muted">
              The first {formatCount(developer.products.length)} of {formatCount(developer.products_total)} by name.{' '}
              <TextLink to="/reseller/products" search={{ developer: developer.id }}>
                Show all of them
              </TextLink>
            </p>
          ) : null}
        </Panel>
      )}
    </section>
  );
}
