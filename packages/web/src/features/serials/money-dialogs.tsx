import { lazy } from 'react';
import { Later } from '#ui/dialogs/lazy-mount.tsx';
import type { Refundable } from './refundable.ts';

const RefundDialog = lazy(() => import('./refund-dialog.tsx').then((module) => ({ default: module.RefundDialog })));
const ReinstateDialog = lazy(() =>
  import('./reinstate-dialog.tsx').then((module) => ({ default: module.ReinstateDialog })),
);

/** An act about the money of a serial, with or without its revocation. */
export type MoneyAct = 'refund' | 'revoke' | 'reinstate' | 'reassign';

interface MoneyDialogsProps {
  serial: Refundable;
  asked: MoneyAct | null;
  onClose: () => void;
}

/** Refunding and revoking are two acts; where both make sense, the dialog asks for the other one. */
export function MoneyDialogs({ serial, asked, onClose }: MoneyDialogsProps) {
  const close = (open: boolean) => (open ? undefined : onClose());
  const back = asked === 'reinstate' || asked === 'reassign';
  const away = asked === 'refund' || asked === 'revoke';
  return (
    <>
      <Later when={away}>
        <RefundDialog serial={serial} revoking={asked === 'revoke'} open={away} onOpenChange={close} />
      </Later>
      <Later when={back}>
        <ReinstateDialog serial={serial} reassigning={asked === 'reassign'} open={back} onOpenChange={close} />
      </Later>
    </>
  );
}
