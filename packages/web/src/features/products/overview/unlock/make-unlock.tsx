import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { keepUnlock } from '#lib/queries/products.ts';
import type { Product } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';

export function MakeUnlock({ product }: { product: Pick<Product, 'id' | 'name'> }) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const make = useMutation({
    mutationFn: () => api.makeProductUnlock({ path: { id: product.id }, body: { product_name: product.name } }),
    onSuccess: (made) => {
      keepUnlock(queryClient, product.id, made);
      setOpen(false);
      notify.success('Unlock made. Nobody has it yet.');
    },
  });
  return (
    <>
      <Button
        onClick={() => {
          make.reset();
          setOpen(true);
        }}
      >
        Make an unlock
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Make an unlock for good of ${product.name}?`}
        action="Make it"
        plain
        typed={product.name}
        busy={make.isPending}
        onConfirm={() => make.mutate()}
      >
        <p>Nobody has it until you download its file or publish it, and until then you can withdraw it.</p>
        <ul className="flex list-disc flex-col gap-1.5 pl-5">
          <li>A file that was downloaded opens the product on every computer, and cannot be called back.</li>
          <li>It works in builds of yours that know it, and trust your current key. Older ones refuse it.</li>
          <li>It ends no sale: serials are redeemed as before.</li>
        </ul>
        <FormError title="It was not made." error={make.error} />
      </Confirm>
    </>
  );
}
