import { useMutation, useQueryClient } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { ArrowRightLeft, Ban, Copy, RotateCcw, Undo2, User, WalletCards } from 'lucide-react';
import { useState } from 'react';
import { serialQuery } from '#lib/queries/serials.ts';
import type { RedeemedSerial } from '#lib/types.ts';
import { copyNoted } from '#ui/buttons/copy-noted.ts';
import { RowMenu } from '#ui/menus/row-menu.tsx';
import { notify } from '#ui/toast.ts';
import { useResetDownloads, useResetWords } from '#widgets/serials/use-reset-downloads.ts';
import { type MoneyAct, MoneyDialogs } from '../money-dialogs.tsx';
import { asksAboutMoney, type Refundable } from '../refundable.ts';
import { TransferDialog } from '../transfer-dialog.tsx';
import { useRevoke } from '../use-revoke.ts';

/** Everything that can be done with a redeemed serial. What costs something has its price on it. */
export function RowActions({ row }: { row: RedeemedSerial }) {
  const queryClient = useQueryClient();
  const reset = useResetDownloads(row.id);
  const words = useResetWords();
  const toggle = useRevoke(row);
  const [asked, setAsked] = useState<{ serial: Refundable; act: MoneyAct | null } | null>(null);
  const [moving, setMoving] = useState(false);
  const look = useMutation({
    mutationFn: (_: 'refund' | 'toggle') => queryClient.fetchQuery({ ...serialQuery(row.id), staleTime: 0 }),
    onSuccess: (found, what) => {
      if (what === 'refund') setAsked({ serial: found, act: 'refund' });
      else if (asksAboutMoney(found)) setAsked({ serial: found, act: found.revoked ? 'reassign' : 'revoke' });
      else toggle.mutate(!found.revoked);
    },
    onError: (error) => notify.error(`${row.code} couldn't be read.`, error),
  });
  return (
    <>
      <RowMenu
        label={`Actions for ${row.code}`}
        items={[
          { icon: Copy, label: 'Copy serial', act: () => copyNoted(row.code) },
          {
            icon: User,
            label: 'Open customer',
            to: linkOptions({ to: '/dashboard/customers/$customerId', params: { customerId: row.customer.id } }),
          },
          {
            icon: RotateCcw,
            label: words,
            disabled: row.download_count === 0 || reset.isPending,
            act: () => reset.mutate(),
          },
          { icon: ArrowRightLeft, label: 'Change owner…', act: () => setMoving(true) },
          { icon: WalletCards, label: 'Refund…', act: () => look.mutate('refund') },
          {
            icon: row.revoked ? Undo2 : Ban,
            label: row.revoked ? 'Reassign' : 'Revoke',
            disabled: look.isPending || toggle.isPending,
            act: () => look.mutate('toggle'),
          },
        ]}
      />
      <TransferDialog serial={row} open={moving} onOpenChange={setMoving} />
      {asked ? (
        <MoneyDialogs serial={asked.serial} asked={asked.act} onClose={() => setAsked({ ...asked, act: null })} />
      ) : null}
    </>
  );
}
