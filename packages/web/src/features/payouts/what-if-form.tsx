import { useEffect, useRef, useState } from 'react';
import { useDebounced } from '#lib/hooks.ts';
import type { Reseller } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input, MoneyInput } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { ProductFilter } from '#widgets/product-picker.tsx';

/** What is compared, as in the address. */
export interface Terms {
  reseller: string | undefined;
  months: number;
  /** In percent, as it was typed; undefined: the rate of each sale. */
  rate: string | undefined;
  /** In dollars, as it was typed; undefined: the price of each sale. */
  price: string | undefined;
  product: string | undefined;
}

const periods = [1, 3, 6, 12, 24] as const;
export const MOST_MONTHS = 24;

const isRate = (text: string) => /^\d{1,3}([.,]\d{1,2})?$/.test(text) && Number(text.replace(',', '.')) <= 100;
const isPrice = (text: string) => /^\d{1,6}([.,]\d{1,2})?$/.test(text);

interface WhatIfFormProps {
  /** Undefined while loading. */
  resellers: Reseller[] | undefined;
  chosen: Reseller | undefined;
  terms: Terms;
  onTerms: (terms: Terms) => void;
}

export function WhatIfForm({ resellers, chosen, terms, onTerms }: WhatIfFormProps) {
  const rate = useTyped(terms.rate, isRate, (next) => onTerms({ ...terms, rate: next }));
  const price = useTyped(terms.price, isPrice, (next) => onTerms({ ...terms, price: next }));
  const clear = () => onTerms({ ...terms, rate: undefined, price: undefined });
  return (
    <div className="flex flex-col gap-4">
      <Field label="Reseller">
        {(control) => (
          <Select
            {...control}
            value={terms.reseller ?? ''}
            disabled={!resellers}
            onChange={(event) => onTerms({ ...terms, reseller: event.target.value })}
          >
            {chosen ? null : <option value={terms.reseller ?? ''}>{resellers ? 'A past reseller' : 'Loading…'}</option>}
            {resellers?.map((reseller) => (
              <option key={reseller.id} value={reseller.id}>
                {reseller.company_name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Sales of">
        {(control) => (
          <Select
            {...control}
            value={terms.months}
            onChange={(event) => onTerms({ ...terms, months: Number(event.target.value) })}
          >
            {periods.map((months) => (
              <option key={months} value={months}>
                {months === 1 ? 'This month and the last' : `This month and the last ${months}`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="flex flex-col gap-1.5">
        <span className="text-sm font-medium">Product</span>
        <ProductFilter
          product={terms.product ?? ''}
          onProduct={(product) => onTerms({ ...terms, product: product || undefined })}
        />
      </div>
      <div className="my-1 border-t border-line" />
      <Field
        label="Another commission rate"
        optional
        hint={
          chosen ? `Now ${chosen.commission_rate}%. Empty: the rate of each sale.` : 'Empty: the rate of each sale.'
        }
        error={rate.wrong ? 'Enter a percentage from 0 to 100, such as 12.5.' : undefined}
      >
        {(control) => (
          <div className="relative">
            <Input
              {...control}
              inputMode="decimal"
              autoComplete="off"
              placeholder={chosen ? String(chosen.commission_rate) : ''}
              value={rate.text}
              onChange={(event) => rate.type(event.target.value)}
              className="figures pr-8"
            />
            <span
              className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-muted"
              aria-hidden
            >
              %
            </span>
          </div>
        )}
      </Field>
      <Field
        label="Another price"
        optional
        hint="Such as a promo price. Empty: the price of each sale."
        error={price.wrong ? 'Enter an amount such as 49 or 49.99.' : undefined}
      >
        {(control) => (
          <MoneyInput
            {...control}
            autoComplete="off"
            value={price.text}
            onChange={(event) => price.type(event.target.value)}
          />
        )}
      </Field>
      <Button
        size="sm"
        onClick={clear}
        disabled={terms.rate === undefined && terms.price === undefined}
        className="self-start"
      >
        Clear
      </Button>
    </div>
  );
}

/** A number that is passed on when the typing pauses, and follows the address when that changes elsewhere. */
function useTyped(
  value: string | undefined,
  fits: (text: string) => boolean,
  onChange: (text: string | undefined) => void,
) {
  const [text, setText] = useState(value ?? '');
  const sent = useRef(value);
  const settled = useDebounced(text.trim(), 300);
  const send = useRef((_: string) => {});
  send.current = (next) => {
    if (next !== '' && !fits(next)) return;
    if ((next || undefined) === sent.current) return;
    sent.current = next || undefined;
    onChange(sent.current);
  };
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value ?? '');
  }, [value]);
  useEffect(() => send.current(settled), [settled]);
  return { text, type: setText, wrong: settled !== '' && settled === text.trim() && !fits(settled) };
}
