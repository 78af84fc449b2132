import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { isPrice, readAmount } from '#lib/format/amount.ts';
import { toQuantity } from '#lib/format/quantity.ts';
import { useAttemptKey, useDebounced } from '#lib/hooks.ts';
import { q } from '#lib/queries/operation.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { isBehind } from '#lib/queries/stale-search.ts';
import type { CatalogProduct } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Combobox } from '#ui/forms/combobox.tsx';
import { DateInput, Field, Input, MoneyInput, Textarea } from '#ui/forms/field.tsx';
import { ZoneNote } from '#ui/forms/zone-note.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useUnverified, VerifyFirst } from '#widgets/verify-first.tsx';

type Choice = Pick<CatalogProduct, 'product_id' | 'name' | 'developer_name'>;

interface RequestDealProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The product to begin with. */
  product?: Choice;
}

const blank = { price: '', quantity: '', from: '', until: '', redeemBy: '', note: '' };
type Values = typeof blank;

function wrong({ price, quantity, from, until, redeemBy }: Values) {
  const count = toQuantity(quantity);
  return {
    price: isPrice(price) ? undefined : 'Enter an amount such as 29 or 29.99.',
    quantity: count >= 1 && count <= 1_000_000 ? undefined : 'Choose a quantity from 1 to 1,000,000.',
    until: from && until && until < from ? 'The sale must end on or after the day it starts.' : undefined,
    redeemBy: redeemBy && from && redeemBy < from ? 'Customers could never redeem them.' : undefined,
  };
}

/** Asks a developer for serials at a special price. */
export function RequestDeal({ open, onOpenChange, product }: RequestDealProps) {
  const queryClient = useQueryClient();
  const attempt = useAttemptKey();
  const unverified = useUnverified();
  const [chosen, setChosen] = useState<Choice | null>(product ?? null);
  const [values, setValues] = useState(blank);
  const [tried, setTried] = useState(false);
  const errors = wrong(values);
  const request = useMutation({
    mutationFn: async () => {
      const body = {
        product_id: chosen?.product_id ?? '',
        price: readAmount(values.price) ?? 0,
        quantity: toQuantity(values.quantity),
        ...(values.from && { promo_start: values.from }),
        ...(values.until && { promo_expires: values.until }),
        ...(values.redeemBy && { expires_at: values.redeemBy }),
        ...(values.note.trim() && { note: values.note.trim() }),
      };
      try {
        const made = await api.requestDeal({ body }, { idempotencyKey: attempt.keyFor(body) });
        attempt.answered();
        return made;
      } catch (error) {
        attempt.answered(describeError(error).status ?? 0);
        throw error;
      }
    },
    onSuccess: async ({ developer_name }) => {
      notify.success(`Sent to ${developer_name}.`);
      close(false);
      await refreshAfter(queryClient, 'dealRequestsChanged');
    },
  });
  const close = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    request.reset();
    setChosen(product ?? null);
    setValues(blank);
    setTried(false);
  };
  const set = (name: keyof Values) => (event: { target: { value: string } }) =>
    setValues({ ...values, [name]: event.target.value });
  const shown = (error: string | undefined) => (tried ? error : undefined);
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Request a Deal"
      description="The developer accepts it with serials for you, perhaps on other terms, or declines it."
    >
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (chosen && Object.values(errors).every((error) => !error) && !request.isPending) request.mutate();
        }}
      >
        <VerifyFirst />
        <FormError title="Your request was not sent." error={request.error} />
        <Field label="Product" error={tried && !chosen ? 'Choose a product.' : undefined}>
          {(control) => <CatalogPicker {...control} value={chosen} onChange={setChosen} />}
        </Field>
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label="Price" error={shown(errors.price)}>
            {(control) => <MoneyInput {...control} value={values.price} onChange={set('price')} />}
          </Field>
          <Field label="Quantity" error={shown(errors.quantity)}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                className="figures"
                value={values.quantity}
                onChange={set('quantity')}
                autoComplete="off"
              />
            )}
          </Field>
          <Field label="Promo starts" optional hint="Customers can't redeem before it.">
            {(control) => <DateInput {...control} value={values.from} onChange={set('from')} />}
          </Field>
          <Field label="Promo expires" optional error={shown(errors.until)}>
            {(control) => <DateInput {...control} value={values.until} onChange={set('until')} />}
          </Field>
        </div>
        <Field
          label="Redeem by"
          optional
          hint="The last day on which customers can redeem what you sold. What they redeemed never ends."
          error={shown(errors.redeemBy)}
        >
          {(control) => (
            <DateInput {...control} value={values.redeemBy} onChange={set('redeemBy')} className="sm:max-w-[50%]" />
          )}
        </Field>
        <ZoneNote />
        <Field label="Note" optional>
          {(control) => <Textarea {...control} rows={3} maxLength={1000} value={values.note} onChange={set('note')} />}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={request.isPending} disabled={unverified !== null}>
            Send request
          </Button>
        </div>
      </form>
    </Dialog>
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
