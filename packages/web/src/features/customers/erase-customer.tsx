import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { q } from '#lib/queries/operation.ts';
import type { CustomerDetail } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useTask } from '#widgets/lists/use-save.ts';
import { nameOf } from './names.ts';

export function EraseCustomer({ customer }: { customer: CustomerDetail }) {
  const { id } = customer;
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  // fetched each time, because it has to be current when the person decides
  const preview = useQuery({
    ...q('eraseCustomer', { path: { id }, query: { dry_run: true } }),
    enabled: open,
    staleTime: 0,
    gcTime: 0,
  });
  const erase = useTask(async () => {
    const { message } = await api.eraseCustomer({ path: { id } });
    setOpen(false);
    notify.success(message);
    await refreshAfter(queryClient, 'customerErased');
    // the focused button is gone along with what it erased
    setTimeout(() => document.getElementById('content')?.focus());
  }, 'Nothing was erased.');

  return (
    <>
      <Button variant="danger-outline" onClick={() => setOpen(true)}>
        Erase personal data
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Erase the personal data of ${nameOf(customer) ?? customer.email}?`}
        action="Erase personal data"
        typed={customer.email}
        blocked={!preview.isSuccess}
        busy={erase.isPending}
        onConfirm={() => erase.mutate()}
      >
        <p>
          Name, email address and last login are permanently erased.
          {preview.data && preview.data.machines_forgotten > 0
            ? ` ${plural(preview.data.machines_forgotten, 'machine')} without a seat ${preview.data.machines_forgotten === 1 ? 'is' : 'are'} forgotten.`
            : ''}{' '}
          This cannot be undone.
        </p>
        {preview.isError ? (
          <div className="flex flex-col items-start gap-3">
            <FormError title="We couldn't check what would be erased." error={preview.error} />
            <Button size="sm" onClick={() => preview.refetch()} busy={preview.isFetching}>
              Retry
            </Button>
          </div>
        ) : (
          <p>
            <strong className="font-semibold text-text">What stays: </strong>
            {preview.data ? (
              staying(preview.data.serials_kept)
            ) : (
              <span className="skeleton inline-block h-4 w-40 align-middle" />
            )}
          </p>
        )}
      </Confirm>
    </>
  );
}

const staying = (serials: number) =>
  serials === 0
    ? 'the figures. This customer has no serials.'
    : `${plural(serials, 'serial')} and all figures, so that your totals keep adding up. Active licenses keep working, but downloads can no longer be opened with the old address.`;
