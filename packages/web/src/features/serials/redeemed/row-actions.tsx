import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRightLeft, Ban, Copy, RotateCcw, Undo2, User, WalletCards } from 'lucide-react';
import { useState } from 'react';
import { useCopy } from '#lib/hooks.ts';
import { serialQuery } from '#lib/queries/serials.ts';
import type { RedeemedSerial } from '#lib/types.ts';
import { menuItemClass } from '#ui/menus/menu.tsx';
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
  const { copy } = useCopy();
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
  const copyCode = async () => {
    if (await copy(row.code)) notify.success(`Copied ${row.code}`);
    else notify.error("Your browser didn't allow copying. Select the text instead.");
  };
  return (
    <>
      <RowMenu label={`Actions for ${row.code}`}>
        <button type="button" className={menuItemClass} onClick={copyCode}>
          <Copy aria-hidden />
          Copy serial
        </button>
        <Link to="/dashboard/customers/$customerId" params={{ customerId: row.customer.id }} className={menuItemClass}>
          <User aria-hidden />
          Open customer
        </Link>
        <button
          type="button"
          className={menuItemClass}
          disabled={row.download_count === 0 || reset.isPending}
          onClick={() => reset.mutate()}
        >
          <RotateCcw aria-hidden />
          {words}
        </button>
        <button type="button" className={menuItemClass} onClick={() => setMoving(true)}>
          <ArrowRightLeft aria-hidden />
          Change owner…
        </button>
        <button type="button" className={menuItemClass} onClick={() => look.mutate('refund')}>
          <WalletCards aria-hidden />
          Refund…
        </button>
        <button
          type="button"
          className={menuItemClass}
          disabled={look.isPending || toggle.isPending}
          onClick={() => look.mutate('toggle')}
        >
          {row.revoked ? <Undo2 aria-hidden /> : <Ban aria-hidden />}
          {row.revoked ? 'Reassign' : 'Revoke'}
        </button>
      </RowMenu>
      <TransferDialog serial={row} open={moving} onOpenChange={setMoving} />
      {asked ? (
        <MoneyDialogs serial={asked.serial} asked={asked.act} onClose={() => setAsked({ ...asked, act: null })} />
      ) : null}
    </>
  );
}
