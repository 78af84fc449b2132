import { useEffect, useRef, useState } from 'react';
import { isStatus } from '#lib/errors.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import type { Order } from '#lib/outbox.ts';
import type { Offer } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { FormError } from '#ui/states.tsx';
import { NoAnswer } from '#widgets/sales/no-answer.tsx';
import { SaleView } from '#widgets/sales/sale-view.tsx';
import { orderOf, useSell } from '#widgets/sales/use-outbox.ts';

interface SaleStepProps {
  offer: Offer;
  onEnd: () => void;
}

/** One customer: first the price, then the code to hand over. Enter sells, Escape goes back. */
export function SaleStep({ offer, onEnd }: SaleStepProps) {
  const [order, setOrder] = useState<Order | null>(null);
  const [sold, setSold] = useState<string | null>(null);
  const sell = useSell((sale) => setSold(sale.reference));
  const begin = () => {
    // after a refusal it is another sale
    const next = orderOf({
      product_id: offer.product_id,
      product_name: offer.product_name,
      price: offer.price,
    });
    setOrder(next);
    sell.mutate(next);
  };
  // another price, or none left: the list of products has been read again
  const isUnavailable = isStatus(sell.error, 404) || isStatus(sell.error, 409);
  useEscape(onEnd);
  if (sold) return <Sold reference={sold} onEnd={onEnd} />;
  return (
    <section aria-label="Confirm the sale" className="flex flex-1 flex-col">
      <div className="rounded-lg border border-line-strong bg-surface p-5">
        <h2 className="text-lg font-semibold wrap-anywhere">{offer.product_name}</h2>
        <p className="text-md wrap-anywhere">{offer.developer_name}</p>
        <p className="figures mt-4 text-2xl font-semibold">{formatMoney(offer.price)}</p>
        {isUnavailable ? null : (
          <p className="figures text-md">
            {offer.available >= 1000 ? 'Over 1,000 left' : `${plural(offer.available, 'code')} left`}
          </p>
        )}
      </div>
      <div className="mt-4 flex flex-col gap-4">
        {sell.isPending && order ? <NoAnswer reference={order.reference} /> : null}
        <FormError title="It was not sold." error={sell.error} />
      </div>
      <div className="sticky bottom-0 mt-auto flex flex-col gap-3 bg-canvas py-4 md:static md:mt-2 md:max-w-md">
        {sell.isPending ? (
          <>
            <Button className="h-14 text-md" onClick={onEnd}>
              Next customer
            </Button>
            <p className="text-sm">
              This sale goes on. When it has been made, its code is in today’s list: undo it there if the customer has
              gone.
            </p>
          </>
        ) : (
          <>
            {isUnavailable ? null : (
              <SellButton
                onClick={begin}
              >{`${sell.isError ? 'Try again' : 'Sell'} for ${formatMoney(offer.price)}`}</SellButton>
            )}
            <Button className="h-12 text-md" onClick={onEnd}>
              {isUnavailable ? 'Back to the products' : 'Cancel'}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

function SellButton({ children, onClick }: { children: string; onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Button ref={button} variant="primary" className="h-16 text-lg" onClick={onClick} busy={false}>
      {children}
    </Button>
  );
}

function Sold({ reference, onEnd }: { reference: string; onEnd: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    window.scrollTo({ top: 0 });
  }, []);
  return (
    <section aria-label="Sold" className="flex flex-1 flex-col">
      <h2 ref={heading} tabIndex={-1} className="mb-3 text-lg font-semibold outline-none">
        Sold
      </h2>
      <SaleView reference={reference} />
      <div className="sticky bottom-0 mt-auto bg-canvas py-4 md:static md:mt-2">
        <Button variant="primary" className="h-14 w-full text-md md:max-w-md" onClick={onEnd}>
          Next customer
        </Button>
      </div>
    </section>
  );
}

function useEscape(act: () => void) {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // a dialog that is open has the key
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('[role="alertdialog"]'))
        latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
