import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatChosen, formatMoney, plural } from '#lib/format/format.ts';
import { offersQuery } from '#lib/queries/selling.ts';
import type { Offer } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { ProductImage } from '#ui/product-image.tsx';
import { Empty, Failed, Notice } from '#ui/states.tsx';

interface OfferGridProps {
  onChoose: (offer: Offer) => void;
  /** Nothing can be sold before the account has done something else. */
  blocked: boolean;
}

/** From this number on, a search is quicker than scrolling. */
const MANY = 8;

/** A large button for each offer that can be sold now. */
export function OfferGrid({ onChoose, blocked }: OfferGridProps) {
  const [search, setSearch] = useState('');
  const list = useInfiniteQuery(offersQuery({ search }));
  const offers = list.data?.pages.flatMap((page) => page.rows);
  if (list.isError && !offers) {
    return (
      <Failed
        title="What you can sell couldn't be loaded"
        error={list.error}
        retry={list.refetch}
        retrying={list.isFetching}
      />
    );
  }
  if (!offers) {
    return (
      <div role="status" className="flex flex-col gap-3">
        <span className="sr-only">Loading what you can sell</span>
        {[1, 2, 3, 4].map((each) => (
          <span key={each} className="skeleton block h-[84px] rounded-lg" />
        ))}
      </div>
    );
  }
  return (
    <>
      {list.isError ? (
        <Notice tone="warn">No connection: prices and stock are those of a moment ago. You can go on selling.</Notice>
      ) : null}
      {search || offers.length > MANY || list.hasNextPage ? (
        <SearchInput value={search} onChange={setSearch} placeholder="Search product..." label="Search products" />
      ) : null}
      {offers.length === 0 ? <NothingToSell filtered={search !== ''} onClear={() => setSearch('')} /> : null}
      <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
        {offers.map((offer) => (
          <li key={`${offer.product_id} ${offer.price}`}>
            <OfferButton offer={offer} onChoose={onChoose} disabled={blocked} />
          </li>
        ))}
      </ul>
      <ShowMore list={list} />
    </>
  );
}

interface OfferButtonProps {
  offer: Offer;
  onChoose: (offer: Offer) => void;
  disabled: boolean;
}

function OfferButton({ offer, onChoose, disabled }: OfferButtonProps) {
  const {
    product_name,
    developer_name,
    image_url,
    price,
    regular_price,
    available,
    sell_until,
    developer_time_zone: zone,
  } = offer;
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={() => onChoose(offer)}
      className="flex min-h-[84px] w-full items-center gap-3 rounded-lg border border-control-line bg-surface p-3 text-left text-text transition-colors hover:bg-hover active:bg-accent-soft disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted"
    >
      <ProductImage src={image_url} name={product_name} className="size-12 shrink-0 rounded-md border border-line" />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-md font-semibold wrap-anywhere">{product_name}</span>
        <span className="block truncate text-sm">{developer_name}</span>
        <span className="figures block text-sm">
          {available >= 1000 ? 'Over 1,000 left' : `${plural(available, 'code')} left`}
          {sell_until ? ` · sell until ${formatChosen(sell_until, 'end', zone)}` : ''}
        </span>
      </span>
      <span className="figures shrink-0 text-right">
        <span className="block text-lg font-semibold">{formatMoney(price)}</span>
        {regular_price === null ? null : (
          <s className="block text-sm">
            <span className="sr-only">instead of </span>
            {formatMoney(regular_price)}
          </s>
        )}
      </span>
    </button>
  );
}

function NothingToSell({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <Empty title="No product found" action={<Button onClick={onClear}>Clear the search</Button>} className="py-10">
      No product that you can sell now matches.
    </Empty>
  ) : (
    <Empty
      title="Nothing to sell now"
      action={<LinkButton to="/reseller/products">See your products</LinkButton>}
      className="py-10"
    >
      You have no codes left, or no deal is on. Ask your developers for serials: they appear here at once.
    </Empty>
  );
}
