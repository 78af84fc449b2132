import { useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '@tonerow/sdk';
import { X } from 'lucide-react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { useAccount } from '#lib/session/session.ts';
import type { Shop, ShopItem } from '#lib/types.ts';
import { IconButton } from '#ui/button.tsx';
import { Checkbox, DateInput, Field, Input } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { ProductPicker } from '#widgets/product-picker.tsx';
import { CatalogPicker } from './catalog-picker.tsx';
import { draftOf, type ItemDraft, mistakesIn } from './draft.ts';

interface MapDialogProps {
  shop: Shop;
  /** The item to map; null: something that was not sold yet. */
  item: ShopItem | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

type Body = InputOf<'mapShopItems'>['body'];

/** Maps one thing that a shop sells to a product, or to several. Orders that wait for it are delivered at once. */
export function MapDialog({ shop, item, ...dialog }: MapDialogProps) {
  const queryClient = useQueryClient();
  const isReseller = useAccount()?.is_reseller ?? false;
  return (
    <FormDialog
      {...dialog}
      className="max-w-xl"
      title={item ? `Map ${item.name}` : 'Add what the shop sells'}
      description={
        item?.mapped_at === null
          ? 'Orders that wait for it are delivered as soon as you save.'
          : 'Applies to what is sold from now on, and to orders that wait for serials. What was delivered stays as it is.'
      }
      values={draftOf(item)}
      check={mistakesIn}
      save={async (draft: ItemDraft) => {
        const { products, key, units, source, batch_tag, prefix, expires_at, renewals } = draft;
        const mapped: Body['items'][number] = {
          key: key.trim(),
          ...(item ? { name: item.name } : {}),
          product_ids: products.map(({ id }) => id),
          units: Number(units),
          source: isReseller ? 'pool' : source,
          batch_tag: batch_tag.trim() || null,
          prefix: !isReseller && source === 'generate' ? prefix.trim() || null : null,
          expires_at: !isReseller && source === 'generate' ? expires_at || null : null,
          renewals: renewals ? 'issue' : 'ignore',
        };
        const done = await api.mapShopItems({ path: { id: shop.id }, body: { items: [mapped] } });
        notify.success(
          item?.mapped_at === null ? 'Mapped. Orders that waited for it are delivered now.' : 'The mapping is saved.',
        );
        refreshAfter(queryClient, 'shopMapped');
        return done;
      }}
      // the server names the one item by its place
      rename={(path) => path.replace(/^items\.0\.(product_ids\b.*)$/, 'products').replace(/^items\.0\./, '')}
      action={item?.mapped_at === null ? 'Map it' : 'Save'}
      failed="It was not mapped."
      verified
      guarded
    >
      {({ register, error, watch, setValue }) => {
        const chosen = watch('products');
        const choose = (products: ItemDraft['products']) =>
          setValue('products', products, { shouldDirty: true, shouldValidate: true });
        const add = (product: { id: string; name: string }) =>
          choose(chosen.some(({ id }) => id === product.id) ? chosen : [...chosen, product]);
        return (
          <>
            {item ? null : (
              <Field label="SKU" error={error('key')} hint="As the shop has it, such as GLIDE-1.">
                {(control) => (
                  <Input {...control} {...register('key')} maxLength={300} autoComplete="off" spellCheck={false} />
                )}
              </Field>
            )}
            <Field
              label={chosen.length > 1 ? 'Products of the bundle' : 'Product'}
              error={error('products')}
              hint="Choose several for a bundle: each sale gives serials of all of them."
            >
              {(control) =>
                isReseller ? (
                  <CatalogPicker {...control} onChange={add} />
                ) : (
                  <ProductPicker {...control} value={null} onChange={add} withSerials={watch('source') === 'pool'} />
                )
              }
            </Field>
            {chosen.length > 0 ? (
              <ul className="-mt-2 flex flex-col gap-1.5" aria-label="Chosen products">
                {chosen.map(({ id, name }) => (
                  <li
                    key={id}
                    className="flex items-center justify-between gap-3 rounded-md border border-line bg-sunken py-1 pr-1 pl-3"
                  >
                    <span className="min-w-0 truncate">{name}</span>
                    <IconButton
                      label={`Remove ${name}`}
                      onClick={() => choose(chosen.filter((each) => each.id !== id))}
                    >
                      <X aria-hidden />
                    </IconButton>
                  </li>
                ))}
              </ul>
            ) : null}
            <Field
              label={chosen.length > 1 ? 'Serials of each for one of it' : 'Serials for one of it'}
              error={error('units')}
            >
              {(control) => (
                <Input {...control} {...register('units')} inputMode="numeric" className="figures max-w-28" />
              )}
            </Field>
            {isReseller ? null : (
              <Field
                label="Where they come from"
                error={error('source')}
                hint={
                  watch('source') === 'pool'
                    ? 'When the batches have none left, the order waits and is delivered when there are some.'
                    : 'A new serial is made for each sale.'
                }
              >
                {(control) => (
                  <Select {...control} {...register('source')}>
                    <option value="generate">Generate them</option>
                    <option value="pool">Take them from your batches</option>
                  </Select>
                )}
              </Field>
            )}
            <Field
              label="Batch tag"
              optional
              error={error('batch_tag')}
              hint={
                isReseller || watch('source') === 'pool'
                  ? 'Only batches with this tag. Empty: any.'
                  : 'The batch that they are made in gets this tag.'
              }
            >
              {(control) => <Input {...control} {...register('batch_tag')} maxLength={100} autoComplete="off" />}
            </Field>
            {!isReseller && watch('source') === 'generate' ? (
              <div className="grid gap-5 sm:grid-cols-2">
                <Field label="Prefix" optional error={error('prefix')} hint="Four letters or digits.">
                  {(control) => (
                    <Input
                      {...control}
                      {...register('prefix')}
                      maxLength={4}
                      autoComplete="off"
                      spellCheck={false}
                      className="font-mono uppercase"
                    />
                  )}
                </Field>
                <Field label="Redeem by" optional error={error('expires_at')} hint="The last day. Empty: no end.">
                  {(control) => <DateInput {...control} {...register('expires_at')} />}
                </Field>
              </div>
            ) : null}
            <Checkbox
              {...register('renewals')}
              label="Each renewal of a subscription gives another serial"
              hint="Otherwise renewals give nothing. Nothing extends a serial."
            />
          </>
        );
      }}
    </FormDialog>
  );
}
