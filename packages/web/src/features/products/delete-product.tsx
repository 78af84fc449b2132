import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { plural } from '#lib/format/format.ts';
import { useOnce } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { productQuery } from '#lib/queries/products.ts';
import { endSessionOn401 } from '#lib/query.ts';
import type { Product } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { notify } from '#ui/toast.ts';

export function DeleteProduct({ product, onLeave }: { product: Product; onLeave: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [deleted, setDeleted] = useState(false);
  // The server refuses while customers hold serials, until the person has read what happens to them.
  const [refused, setRefused] = useState<string | null>(null);

  const remove = useOnce(async () => {
    setBusy(true);
    try {
      await api.deleteProduct({ path: { id: product.id }, ...(refused ? { query: { force: true } } : {}) });
      setOpen(false);
      onLeave();
      setDeleted(true);
      notify.success('Product deleted.');
    } catch (error) {
      endSessionOn401(error);
      const problem = describeError(error);
      if (problem.code === 'product_has_redeemed_serials') setRefused(problem.message);
      else {
        setOpen(false);
        notify.error('Failed to delete product.', error);
      }
    } finally {
      setBusy(false);
    }
  });

  useEffect(() => {
    if (!deleted) return;
    navigate({ to: '/products' }).then(() => {
      queryClient.removeQueries({ queryKey: productQuery(product.id).queryKey });
      return refreshAfter(queryClient, 'productDeleted');
    });
  }, [deleted, navigate, queryClient, product.id]);

  return (
    <>
      <Button variant="danger-outline" className="self-start" onClick={() => setOpen(true)}>
        Delete permanently
      </Button>
      <Confirm
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          if (!next) setRefused(null);
        }}
        title="Are you sure you want to permanently delete this product?"
        action={refused ? 'Delete and revoke the serials' : 'Delete permanently'}
        typed={product.name}
        busy={busy}
        onConfirm={remove}
      >
        {refused ? (
          <p className="text-bad">
            {refused} If you continue, their serials are revoked and their plugins stop working.
          </p>
        ) : (
          <p>
            {product.serials_available > 0
              ? `${plural(product.serials_available, 'available serial')} will be deleted with it. `
              : ''}
            This cannot be undone.
          </p>
        )}
      </Confirm>
    </>
  );
}
