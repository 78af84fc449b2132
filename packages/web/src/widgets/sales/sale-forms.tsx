import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { useDebounced } from '#lib/hooks.ts';
import type { Order } from '#lib/outbox.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { isBehind } from '#lib/queries/freshness/stale-search.ts';
import { offersQuery, saleQuery } from '#lib/queries/selling.ts';
import type { HandSale, Offer } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Combobox } from '#ui/forms/combobox.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { useSavedForm } from '../forms/use-saved-form.ts';
import { useUnverified, VerifyFirst } from '../verify-first.tsx';
import { NoAnswer } from './no-answer.tsx';
import { emailLanguage, orderOf, useSell } from './use-outbox.ts';

interface SellFormProps {
  /** If undefined, the seller chooses a product. */
  product: { id: string; name: string } | undefined;
  price: number | undefined;
  onSold: (reference: string) => void;
  onCancel: () => void;
}

const keyOf = ({ product_id, price }: Offer) => `${product_id} ${price}`;

export function SellForm({ product, price, onSold, onCancel }: SellFormProps) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const list = useInfiniteQuery(offersQuery(product ? { product: product.id } : { search }));
  const offers = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const [chosen, setChosen] = useState<Offer | null>(null);
  const [order, setOrder] = useState<Order | null>(null);
  const unverified = useUnverified();
  const sell = useSell((sale) => onSold(sale.reference));
  // the chosen offer may be gone or have another price meanwhile
  const current = product
    ? (offers.find((offer) => chosen && keyOf(offer) === keyOf(chosen)) ??
      offers.find((offer) => offer.price === price) ??
      offers[0])
    : chosen;
  const form = useSavedForm({
    values: { email: '', note: '' },
    save: async ({ email, note }) => {
      if (!current) return;
      const next = orderOf({
        product_id: current.product_id,
        product_name: current.product_name,
        price: current.price,
        ...(email.trim() ? { email: email.trim() } : {}),
        ...(note.trim() ? { note: note.trim() } : {}),
      });
      setOrder(next);
      await sell.mutateAsync(next);
    },
  });
  if (form.busy && order) {
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
    <form {...form.frame} className="flex flex-col gap-5">
      <VerifyFirst />
      <FormError title="It was not sold." error={form.failure} />
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
        error={form.error('email')}
        optional
      >
        {(control) => <Input {...control} {...form.register('email')} type="email" autoComplete="off" />}
      </Field>
      <Field label="Note" hint="Only you see it." error={form.error('note')} optional>
        {(control) => <Input {...control} {...form.register('note')} maxLength={200} autoComplete="off" />}
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={form.busy} disabled={!current || unverified !== null}>
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

/** The price, or a choice where deals make several prices. */
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

const sentWords = { queued: 'On its way to', sent: 'Sent to', failed: 'Could not be delivered to' };

/** Emails the code to the customer, also once more. */
export function SendCode({ sale }: { sale: HandSale }) {
  const queryClient = useQueryClient();
  const form = useSavedForm({
    values: { email: '' },
    save: ({ email }) => {
      const language = emailLanguage();
      return api.emailHandSale({
        path: { reference: sale.reference },
        body: { email: email.trim(), ...(language ? { language } : {}) },
      });
    },
    onSaved: (next) => {
      queryClient.setQueryData(saleQuery(sale.reference).queryKey, next);
      refreshAfter(queryClient, 'saleEmailed');
      form.reset();
    },
  });
  const { email } = sale;
  return (
    <form {...form.frame} className="flex flex-col gap-3">
      {email ? (
        <p role="status" className="flex items-start gap-2 wrap-anywhere">
          <Mail className="mt-1 size-4 shrink-0" aria-hidden />
          <span className={email.state === 'failed' ? 'text-bad' : undefined}>
            {sentWords[email.state]} {email.address || 'an address that is no longer kept'}
          </span>
        </p>
      ) : null}
      <FormError title="The email was not sent." error={form.failure} />
      <Field
        label={email ? 'Send it again, or elsewhere' : 'Customer’s email address'}
        error={form.error('email')}
        optional
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              {...form.register('email')}
              type="email"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="h-11"
            />
            <Button type="submit" className="h-11" busy={form.busy} disabled={!form.watch('email').trim()}>
              Send
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
