import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { keepUnlock } from '#lib/queries/products.ts';
import type { Product, ProductUnlock } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { RadioChoices } from '#ui/forms/radio-choices.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';

type Audience = NonNullable<ProductUnlock['audience']>;

const audiences = [
  {
    value: 'owners',
    label: 'Owners',
    hint: 'With what they own on your redemption page. You can open it to everyone later.',
  },
  { value: 'everyone', label: 'Everyone', hint: 'Whoever opens your redemption page. This is the last step.' },
] as const;

interface PublishUnlockProps {
  product: Pick<Product, 'id' | 'name'>;
  unlock: ProductUnlock;
}

/** There is no way back from it, so that the name is typed again. */
export function PublishUnlock({ product, unlock }: PublishUnlockProps) {
  const queryClient = useQueryClient();
  const widens = unlock.audience === 'owners';
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Audience>('owners');
  const audience = widens ? 'everyone' : chosen;
  const publish = useMutation({
    mutationFn: () =>
      api.publishProductUnlock({ path: { id: product.id }, body: { product_name: product.name, audience } }),
    onSuccess: (published) => {
      keepUnlock(queryClient, product.id, published);
      setOpen(false);
      notify.success(audience === 'owners' ? 'Published for owners.' : 'Published for everyone.');
    },
    // another window may have withdrawn it
    onError: () => refreshAfter(queryClient, 'unlockChanged'),
  });
  return (
    <>
      <Button
        variant="danger-outline"
        onClick={() => {
          publish.reset();
          setChosen('owners');
          setOpen(true);
        }}
      >
        {widens ? 'Publish for everyone' : 'Publish'}
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={
          widens ? `Publish the unlock of ${product.name} for everyone?` : `Publish the unlock of ${product.name}?`
        }
        action={audience === 'owners' ? 'Publish for owners' : 'Publish for everyone'}
        typed={product.name}
        busy={publish.isPending}
        onConfirm={() => publish.mutate()}
      >
        <p>
          Whoever has it keeps it: the plugin runs on every computer without a license, also for those whose serial was
          revoked. This cannot be undone.
        </p>
        {widens ? null : (
          <RadioChoices legend="Who can have it?" value={chosen} onChange={setChosen} choices={audiences} />
        )}
        <FormError title="It was not published." error={publish.error} />
      </Confirm>
    </>
  );
}
