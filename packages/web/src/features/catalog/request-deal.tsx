import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { isPrice, readAmount } from '#lib/format/amount.ts';
import { toQuantity } from '#lib/format/quantity.ts';
import { useAttempt, useDebounced } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { isBehind } from '#lib/queries/freshness/stale-search.ts';
import { q } from '#lib/queries/operation.ts';
import type { CatalogProduct } from '#lib/types.ts';
import { Combobox } from '#ui/forms/combobox.tsx';
import { DateInput, Field, Input, MoneyInput, Textarea } from '#ui/forms/field.tsx';
import { ZoneNote } from '#ui/forms/zone-note.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';

type Choice = Pick<CatalogProduct, 'product_id' | 'name' | 'developer_name'>;

interface RequestDealProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The product to begin with. */
  product?: Choice;
}

const blank = { price: '', quantity: '', promo_start: '', promo_expires: '', expires_at: '', note: '' };
type Values = typeof blank & { product: Choice | null };

function wrong({ product, price, quantity, promo_start: from, promo_expires: until, expires_at: redeemBy }: Values) {
  const count = toQuantity(quantity);
  return {
    product: !product && 'Choose a product.',
    price: !isPrice(price) && 'Enter an amount such as 29 or 29.99.',
    quantity: !(count >= 1 && count <= 1_000_000) && 'Choose a quantity from 1 to 1,000,000.',
    promo_expires: from && until && until < from && 'The sale must end on or after the day it starts.',
    expires_at: redeemBy && from && redeemBy < from && 'Customers could never redeem them.',
  };
}

/** Asks a developer for serials at a special price. */
export function RequestDeal({ product, ...dialog }: RequestDealProps) {
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const request = async ({ product, price, quantity, note, ...days }: Values) => {
    const body = {
      product_id: product?.product_id ?? '',
      price: readAmount(price) ?? 0,
      quantity: toQuantity(quantity),
      ...Object.fromEntries(Object.entries(days).filter(([, day]) => day)),
      ...(note.trim() && { note: note.trim() }),
    };
    const { developer_name } = await attempt(body, (idempotencyKey) => api.requestDeal({ body }, { idempotencyKey }));
    notify.success(`Sent to ${developer_name}.`);
    refreshAfter(queryClient, 'dealRequestsChanged');
  };
  return (
    <FormDialog<Values, void>
      {...dialog}
      title="Request a Deal"
      description="The developer accepts it with serials for you, perhaps on other terms, or declines it."
      values={{ ...blank, product: product ?? null }}
      check={wrong}
      save={request}
      action="Send request"
      failed="Your request was not sent."
      verified
    >
      {({ register, error, watch, setValue }) => (
        <>
          <Field label="Product" error={error('product')}>
            {(control) => (
              <CatalogPicker
                {...control}
                value={watch('product')}
                onChange={(chosen) => setValue('product', chosen, { shouldValidate: true })}
              />
            )}
          </Field>
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            <Field label="Price" error={error('price')}>
              {(control) => <MoneyInput {...control} {...register('price')} />}
            </Field>
            <Field label="Quantity" error={error('quantity')}>
              {(control) => (
                <Input
                  {...control}
                  {...register('quantity')}
                  inputMode="numeric"
                  className="figures"
                  autoComplete="off"
                />
              )}
            </Field>
            <Field label="Promo starts" optional hint="Customers can't redeem before it." error={error('promo_start')}>
              {(control) => <DateInput {...control} {...register('promo_start')} />}
            </Field>
            <Field label="Promo expires" optional error={error('promo_expires')}>
              {(control) => <DateInput {...control} {...register('promo_expires')} />}
            </Field>
          </div>
          <Field
            label="Redeem by"
            optional
            hint="The last day on which customers can redeem what you sold. What they redeemed never ends."
            error={error('expires_at')}
          >
            {(control) => <DateInput {...control} {...register('expires_at')} className="sm:max-w-[50%]" />}
          </Field>
          <ZoneNote />
          <Field label="Note" optional error={error('note')}>
            {(control) => <Textarea {...control} {...register('note')} rows={3} maxLength={1000} />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

interface CatalogPickerProps {
  value: Choice | null;
  onChange: (product: Choice) => void;
}

/** Picks one of the products that the reseller can sell. */
function CatalogPicker({ value, onChange, ...control }: CatalogPickerProps) {
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed.trim());
  const list = useQuery({
    ...q('listResellerProducts', { query: { sort: 'alphabetical', ...(search ? { search } : {}) } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Combobox<Choice>
      {...control}
      items={list.data?.rows ?? []}
      value={value}
      onChange={onChange}
      onSearch={setTyped}
      behind={isBehind(typed, search, list)}
      itemKey={(product) => product.product_id}
      itemLabel={(product) => product.name}
      itemDetail={(product) => product.developer_name}
      placeholder="Choose a product"
      empty={
        list.isError
          ? "Products couldn't be loaded."
          : list.isPending
            ? 'Loading products…'
            : typed
              ? 'No product matches.'
              : 'Your developers have no products yet.'
      }
    />
  );
}
