import { plural } from '#lib/format/format.ts';
import { withScheme } from '#lib/format/typed.ts';
import type { InvitePreview } from '#lib/types.ts';
import { Price } from '#ui/figures/price.tsx';
import { Panel } from '#ui/page.tsx';
import { ProductImage } from '#ui/product-image.tsx';
import { Day } from '#ui/time-ago.tsx';

/** Shows who invites, for which commission, and what there is to sell. */
export function InviteCard({ invite }: { invite: InvitePreview }) {
  const { company_name, email, logo_url, website_url, commission_rate, created_at } = invite;
  return (
    <Panel className="overflow-hidden">
      <div className="flex items-start gap-3.5 p-4">
        <ProductImage
          src={logo_url}
          name={company_name}
          className="size-12 shrink-0 rounded-md border border-line object-contain"
        />
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold wrap-anywhere">{company_name}</h2>
          <p className="truncate text-sm text-muted">{email}</p>
          {website_url ? (
            <a
              href={withScheme(website_url)}
              target="_blank"
              rel="noreferrer"
              className="block truncate rounded-sm text-sm text-accent-text hover:underline"
            >
              {website_url}
            </a>
          ) : null}
        </div>
      </div>
      <dl className="figures grid grid-cols-2 gap-4 border-t border-line px-4 py-3">
        <div>
          <dt className="text-sm text-muted">Commission</dt>
          <dd className="font-semibold">{commission_rate}%</dd>
        </div>
        <div>
          <dt className="text-sm text-muted">Received</dt>
          <dd>
            <Day iso={created_at} />
          </dd>
        </div>
      </dl>
      <Products invite={invite} />
    </Panel>
  );
}

function Products({ invite }: { invite: InvitePreview }) {
  const { role, state, products, products_total: total } = invite;
  // a reseller who asks sells what the reader has
  if (role === 'developer' || state !== 'pending') return null;
  if (total === 0)
    return <p className="border-t border-line px-4 py-3 text-sm text-muted">They have published no products yet.</p>;
  const more = total - products.length;
  return (
    <section aria-label="Products" className="border-t border-line">
      <p className="px-4 pt-3 text-sm text-muted">{plural(total, 'product')}</p>
      <ul className="divide-y divide-line">
        {products.map((product) => (
          <li key={product.name} className="flex items-center gap-3 px-4 py-2.5">
            <ProductImage src={product.image_url} name={product.name} className="size-9 shrink-0 rounded-md" />
            <span className="min-w-0 flex-1 wrap-anywhere">{product.name}</span>
            <Price price={product.sale_price ?? product.price} regular={product.price} small />
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="border-t border-line px-4 py-2.5 text-sm text-muted">and {more} more</p> : null}
    </section>
  );
}

/** While it loads: as tall as the head of the card. */
export function InviteCardSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading the invitation</span>
      <span className="skeleton block h-36 rounded-lg" />
    </div>
  );
}
