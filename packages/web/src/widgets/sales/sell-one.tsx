import { useInfiniteQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '#lib/errors.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { useDebounced } from '#lib/hooks.ts';
import type { Order } from '#lib/outbox.ts';
import { offersQuery } from '#lib/queries/selling.ts';
import { isBehind } from '#lib/queries/stale-search.ts';
import type { Offer } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Combobox } from '#ui/forms/combobox.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { useUnverified, VerifyFirst } from '../verify-first.tsx';
import { NoAnswer } from './no-answer.tsx';
import { SaleView } from './sale-view.tsx';
import { orderOf, useOutbox, useSell } from './use-outbox.ts';

interface SellOneProps {
  /** The product to sell; without it the seller chooses one. */
  product?: { id: string; name: string };
  /** Of several prices of the product, the one to begin with. */
  price?: number;
  size?: 'sm' | 'md';
  primary?: boolean;
}

/** A button that sells one code by hand. */
export function SellOne({ product, price, size = 'md', primary = false }: SellOneProps) {
  const [open, setOpen] = useState(false);
  const [sold, setSold] = useState<string | null>(null);
  // what an earlier page has left without an answer
  useOutbox();
  const change = (next: boolean) => {
    setOpen(next);
    if (next) setSold(null);
  };
  return (
    <>
      <Button size={size} variant={primary ? 'primary' : 'secondary'} onClick={() => change(true)}>
        Sell one
        {product ? <span className="sr-only"> of {product.name}</span> : null}
      </Button>
      <Dialog
        open={open}
        onOpenChange={change}
        title={sold ? 'Sold' : product ? `Sell one ${product.name}` : 'Sell one'}
        description={sold ? undefined : 'Takes one code out of stock. You collect the money.'}
      >
        <div className="mt-4">
          {sold ? (
            <>
              <SaleView reference={sold} />
              <div className="mt-5 flex justify-end gap-2">
                <Button onClick={() => setSold(null)}>Sell another</Button>
                <Button variant="primary" onClick={() => change(false)}>
                  Done
                </Button>
              </div>
            </>
          ) : (
            <SellForm product={product} price={price} onSold={setSold} onCancel={() => change(false)} />
          )}
        </div>
      </Dialog>
    </>
  );
}

interface SellFormProps {
  product: SellOneProps['product'];
  price: number | undefined;
  onSold: (reference: string) => void;
  onCancel: () => void;
}

const keyOf = ({ product_id, price }: Offer) => `${product_id} ${price}`;

function SellForm({ product, price, onSold, onCancel }: SellFormProps) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const list = useInfiniteQuery(offersQuery(product ? { product: product.id } : { search }));
  const offers = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const [chosen, setChosen] = useState<Offer | null>(null);
  const [email, setEmail] = useState('');
  const [note, setNote] = useState('');
  const [order, setOrder] = useState<Order | null>(null);
  const unverified = useUnverified();
  const sell = useSell((sale) => onSold(sale.reference));
  // what was chosen may be gone or have another price meanwhile
  const current = product
    ? (offers.find((offer) => chosen && keyOf(offer) === keyOf(chosen)) ??
      offers.find((offer) => offer.price === price) ??
      offers[0])
    : chosen;
  const { fields, other } = fieldErrors(sell.error, ['email', 'note']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!current || sell.isPending) return;
    const next = orderOf({
      product_id: current.product_id,
      product_name: current.product_name,
      price: current.price,
      ...(email.trim() ? { email: email.trim() } : {}),
      ...(note.trim() ? { note: note.trim() } : {}),
    });
    setOrder(next);
    sell.mutate(next);
  };
  if (sell.isPending && order) {
    return (
      <>
        <NoAnswer reference={order.reference} />
        <p className="mt-4 text-sm text-muted">
          You can close this. The sale goes on, and its code is then among those sold today.
        </p>
      </>
    );
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      <VerifyFirst />
      <FormError title="It was not sold." error={other} />
      {product ? (
        <Prices offers={offers} current={current ?? null} onChange={setChosen} />
      ) : (
        <Field label="Product">
          {(control) => (
            <Combobox<Offer>
              {...control}
              items={offers}
              value={chosen}
              onChange={setChosen}
              onSearch={setTyped}
              behind={isBehind(typed, search, list)}
              itemKey={keyOf}
              itemLabel={(offer) => `${offer.product_name} · ${formatMoney(offer.price)}`}
              itemDetail={(offer) => `${offer.developer_name} · ${leftOf(offer)}`}
              placeholder="Choose a product"
              empty={
                list.isError
                  ? "Products couldn't be loaded."
                  : list.isPending
                    ? 'Loading products…'
                    : typed
                      ? 'No product with codes to sell matches.'
                      : 'You have no codes to sell now.'
              }
            />
          )}
        </Field>
      )}
      {product && list.isError && offers.length === 0 ? (
        <FormError title="The price couldn't be loaded." error={list.error} />
      ) : null}
      {product && list.isSuccess && offers.length === 0 ? (
        <Notice tone="warn">You have no codes of {product.name} to sell now. Ask the developer for more.</Notice>
      ) : null}
      <Field
        label="Customer’s email address"
        hint="The code is sent there, with a link to redeem it."
        error={fields.email}
        optional
      >
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field label="Note" hint="Only you see it." error={fields.note} optional>
        {(control) => (
          <Input
            {...control}
            maxLength={200}
            autoComplete="off"
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={sell.isPending} disabled={!current || unverified !== null}>
          {current ? `Sell for ${formatMoney(current.price)}` : 'Sell'}
        </Button>
      </div>
    </form>
  );
}

const leftOf = ({ available }: Offer) => (available >= 1000 ? 'over 1,000 left' : `${plural(available, 'code')} left`);

interface PricesProps {
  offers: Offer[];
  current: Offer | null;
  onChange: (offer: Offer) => void;
}

/** What it costs; a choice where deals make several prices. */
function Prices({ offers, current, onChange }: PricesProps) {
  if (offers.length <= 1) {
    return current ? (
      <p className="figures flex items-baseline gap-3">
        <span className="text-lg font-semibold">{formatMoney(current.price)}</span>
        <span className="text-sm text-muted">{leftOf(current)}</span>
      </p>
    ) : null;
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Price</legend>
      {offers.map((offer) => (
        <label key={keyOf(offer)} className="figures flex items-center gap-3 rounded-md border border-line px-3 py-2">
          <input
            type="radio"
            name="price"
            checked={current !== null && keyOf(current) === keyOf(offer)}
            onChange={() => onChange(offer)}
            className="size-4 accent-(--accent)"
          />
          <span className="font-medium">{formatMoney(offer.price)}</span>
          <span className="ml-auto text-sm text-muted">{leftOf(offer)}</span>
        </label>
      ))}
    </fieldset>
  );
}
