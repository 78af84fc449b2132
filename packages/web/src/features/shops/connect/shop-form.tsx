import { useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '@tonerow/sdk';
import { api } from '#lib/api.ts';
import { useAttempt } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Shop, ShopKind } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FormError } from '#ui/states.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { useUnverified, VerifyFirst } from '#widgets/verify-first.tsx';
import { kindWords } from '../kinds.ts';

export interface MadeShop {
  shop: Shop;
  /** Ours, shown now and never again. */
  secret: string | undefined;
}

type Body = InputOf<'createShop'>['body'];

/** Asks for the shop's name and whether it sells for real. Its secret is a step of its own. */
export function ShopForm({ kind, onMade }: { kind: ShopKind; onMade: (made: MadeShop) => void }) {
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const unverified = useUnverified();
  const form = useSavedForm({
    values: { name: kind === 'other' ? '' : kindWords[kind].name, mode: 'live' as Shop['mode'] },
    check: ({ name }) => ({ name: !name.trim() && 'Enter a name.' }),
    save: async ({ name, mode }): Promise<MadeShop> => {
      const body: Body = { kind, name: name.trim(), mode };
      const { shop, secret } = await attempt(body, (idempotencyKey) => api.createShop({ body }, { idempotencyKey }));
      return { shop, secret };
    },
    onSaved: (made) => {
      refreshAfter(queryClient, 'shopChanged');
      onMade(made);
    },
  });
  return (
    <form {...form.frame} className="flex flex-col gap-5">
      <VerifyFirst />
      <FormError title="The shop was not connected." error={form.failure} />
      <Field label="Name" error={form.error('name')} hint="What you call it, such as “Main shop”.">
        {(control) => <Input {...control} {...form.register('name')} maxLength={100} autoComplete="off" />}
      </Field>
      <Field
        label="Orders"
        error={form.error('mode')}
        hint={
          form.watch('mode') === 'live'
            ? 'Each paid order gives its customer serials.'
            : 'Orders issue test codes that count nowhere. Live orders of the shop are ignored.'
        }
      >
        {(control) => (
          <Select {...control} {...form.register('mode')}>
            <option value="live">Live: for customers</option>
            <option value="test">Test: to try it</option>
          </Select>
        )}
      </Field>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" busy={form.busy} disabled={unverified !== null}>
          Continue
        </Button>
      </div>
    </form>
  );
}
