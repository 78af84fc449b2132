import { useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Shop } from '#lib/types.ts';
import { Field, Input } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import {
  deliveryWords,
  modeWords,
  onDisputeWords,
  onDuplicateWords,
  onRefundWords,
  shopGives,
} from './settings-words.ts';

interface SettingsDialogProps {
  shop: Shop;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function SettingsDialog({ shop, ...dialog }: SettingsDialogProps) {
  const queryClient = useQueryClient();
  const { kind, name, mode, delivery, on_refund, on_dispute, on_duplicate } = shop;
  return (
    <FormDialog
      {...dialog}
      title="Settings of the shop"
      values={{ name, mode, delivery, on_refund, on_dispute, on_duplicate }}
      check={(values) => ({ name: !values.name.trim() && 'Enter a name.' })}
      save={async (values) => {
        const changed = await api.updateShop({ path: { id: shop.id }, body: { ...values, name: values.name.trim() } });
        refreshAfter(queryClient, 'shopChanged');
        return changed;
      }}
      action="Save"
      failed="The shop was not changed."
      guarded
    >
      {({ register, error, watch }) => (
        <>
          <Field label="Name" error={error('name')}>
            {(control) => <Input {...control} {...register('name')} maxLength={100} autoComplete="off" />}
          </Field>
          <Field
            label="Orders"
            error={error('mode')}
            hint={
              watch('mode') === 'test' ? 'Live orders of the shop are ignored.' : 'Orders that are tests are ignored.'
            }
          >
            {(control) => (
              <Select {...control} {...register('mode')}>
                <Choices words={modeWords} />
              </Select>
            )}
          </Field>
          {shopGives[kind] === undefined && delivery === 'us' ? null : (
            <Field
              label="Customers get their codes"
              error={error('delivery')}
              hint={
                watch('delivery') === 'us'
                  ? 'In the customer’s language, in your name.'
                  : (shopGives[kind] ?? SENDS_NOTHING)
              }
            >
              {(control) => (
                <Select {...control} {...register('delivery')}>
                  <Choices words={deliveryWords} />
                </Select>
              )}
            </Field>
          )}
          <Field
            label="A part is refunded whose serial is redeemed"
            error={error('on_refund')}
            hint="A full refund always takes all serials back, and serials that nobody has redeemed are always revoked."
          >
            {(control) => (
              <Select {...control} {...register('on_refund')}>
                <Choices words={onRefundWords} />
              </Select>
            )}
          </Field>
          <Field
            label="A payment is disputed"
            error={error('on_dispute')}
            hint="A dispute that you win gives the customer the same codes again."
          >
            {(control) => (
              <Select {...control} {...register('on_dispute')}>
                <Choices words={onDisputeWords} />
              </Select>
            )}
          </Field>
          <Field
            label="Another shop of yours brings the same sale"
            error={error('on_duplicate')}
            hint="Such as WooCommerce and Stripe, where customers of the first pay by the second. It is about the order that comes second."
          >
            {(control) => (
              <Select {...control} {...register('on_duplicate')}>
                <Choices words={onDuplicateWords} />
              </Select>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

/** Shown for a shop that can't give the codes but was set to do so before that was refused. */
const SENDS_NOTHING = 'Nobody sends anything, because this shop can’t give the codes. Choose our email.';

const Choices = ({ words }: { words: Record<string, string> }) =>
  Object.entries(words).map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));
