import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { keepUnlock } from '#lib/queries/products.ts';
import type { Product, ProductUnlock } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { notify } from '#ui/toast.ts';

interface WithdrawUnlockProps {
  product: Pick<Product, 'id' | 'name'>;
  unlock: ProductUnlock;
}

export function WithdrawUnlock({ product, unlock }: WithdrawUnlockProps) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const withdraw = useMutation({
    mutationFn: () => api.withdrawProductUnlock({ path: { id: product.id } }),
    onSuccess: () => {
      keepUnlock(queryClient, product.id, null);
      notify.success('Unlock withdrawn.');
    },
    onError: (error) => {
      notify.error('Failed to withdraw the unlock.', error);
      // another window may have published it
      return refreshAfter(queryClient, 'unlockChanged');
    },
    onSettled: () => setOpen(false),
  });
  return (
    <>
      <Button variant="danger-ghost" onClick={() => setOpen(true)}>
        Withdraw
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Withdraw the unlock of ${product.name}?`}
        action="Withdraw"
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate()}
      >
        <p>
          {unlock.downloaded_at
            ? 'The file that was downloaded keeps working: whoever has it has the product. Here it is forgotten, and can no longer be published.'
            : 'Nobody has it. You can make another one at any time.'}
        </p>
      </Confirm>
    </>
  );
}
