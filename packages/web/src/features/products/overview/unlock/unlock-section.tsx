import { useQuery } from '@tanstack/react-query';
import { describeError } from '#lib/errors.ts';
import { unlockQuery } from '#lib/queries/products.ts';
import type { ProductOverview, ProductUnlock } from '#lib/types.ts';
import { Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { HelpLink } from '#ui/buttons/help-link.tsx';
import { LinkLine } from '#ui/details/link-line.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { MakeUnlock } from './make-unlock.tsx';
import { PublishUnlock } from './publish-unlock.tsx';
import { SaveUnlock } from './save-unlock.tsx';
import { standingOf, standingWords } from './unlock-words.ts';
import { WithdrawUnlock } from './withdraw-unlock.tsx';

type Product = Pick<ProductOverview, 'id' | 'name' | 'is_draft'>;

/** The unlock for good of a product, from nothing to everybody has it. */
export function UnlockSection({ product }: { product: Product }) {
  const unlock = useQuery(unlockQuery(product.id));
  return (
    <section aria-labelledby="product-unlock" className="mt-10 border-t border-line pt-8">
      {unlock.data !== undefined ? (
        <UnlockStanding product={product} unlock={unlock.data} />
      ) : (
        <>
          <Head />
          {unlock.isError ? (
            <p role="alert" className="mt-1 flex flex-wrap items-center gap-3 text-sm text-muted">
              It couldn't be loaded: {describeError(unlock.error).message}
              <Button size="sm" onClick={() => unlock.refetch()} busy={unlock.isFetching}>
                Retry
              </Button>
            </p>
          ) : (
            <div role="status" className="mt-2 flex flex-col gap-2">
              <span className="sr-only">Loading the unlock for good</span>
              <span className="skeleton h-4 w-full max-w-xl" />
              <span className="skeleton h-8 w-36" />
            </div>
          )}
        </>
      )}
    </section>
  );
}

export function UnlockStanding({ product, unlock }: { product: Product; unlock: ProductUnlock | null }) {
  const { badge, tone, text } = standingWords[standingOf(unlock)];
  return (
    <>
      <Head>
        <Tag tone={tone}>{badge}</Tag>
      </Head>
      <p className="mt-1 max-w-2xl text-sm text-muted">
        {text} <HelpLink guide="giving-up-a-plugin" />
      </p>
      {unlock ? (
        <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-muted">
          <When what="Made" at={unlock.created_at} />
          <When what="Last put away" at={unlock.downloaded_at} />
          <When what="Published" at={unlock.published_at} />
        </p>
      ) : null}
      {unlock?.url ? (
        <div className="mt-2">
          <LinkLine url={unlock.url} what="the address of the file" />
        </div>
      ) : null}
      {unlock && !unlock.published_at && product.is_draft ? (
        <p className="mt-2 text-sm text-muted">A draft has no customers: it can be published once the product is.</p>
      ) : null}
      <div className="mt-4 flex flex-wrap gap-2">
        {unlock ? (
          <>
            <SaveUnlock product={product} />
            {unlock.audience === 'everyone' || product.is_draft ? null : (
              <PublishUnlock product={product} unlock={unlock} />
            )}
            {unlock.published_at ? null : <WithdrawUnlock product={product} unlock={unlock} />}
          </>
        ) : (
          <MakeUnlock product={product} />
        )}
      </div>
    </>
  );
}

function Head({ children }: { children?: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h2 id="product-unlock" className="font-semibold">
        Unlock for good
      </h2>
      {children}
    </div>
  );
}

function When({ what, at }: { what: string; at: string | null }) {
  return at ? (
    <span>
      {what} <TimeAgo iso={at} />
    </span>
  ) : null;
}
