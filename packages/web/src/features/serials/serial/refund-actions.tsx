import { lazy, useState } from 'react';
import type { SerialDetail } from '../../../lib/types.ts';
import { Button } from '../../../ui/button.tsx';
import { Later } from '../../../ui/later.tsx';
import { RevokeToggle } from '../revoke-toggle.tsx';

const RefundDialog = lazy(() => import('./refund-dialog.tsx').then((module) => ({ default: module.RefundDialog })));
const ReinstateDialog = lazy(() =>
  import('./reinstate-dialog.tsx').then((module) => ({ default: module.ReinstateDialog })),
);

type Asked = 'refund' | 'revoke' | 'reinstate' | 'reassign';

/** Refunding and revoking are two acts; where both make sense, the dialog asks for the other one. */
export function RefundActions({ serial }: { serial: SerialDetail }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const asks = serial.revoked ? serial.refunded > 0 : serial.refundable > 0;
  const close = (open: boolean) => (open ? undefined : setAsked(null));
  return (
    <>
      {serial.refundable > 0 ? <Button onClick={() => setAsked('refund')}>Refund</Button> : null}
      {serial.refunded > 0 ? <Button onClick={() => setAsked('reinstate')}>Take refund back</Button> : null}
      {asks ? (
        <Button onClick={() => setAsked(serial.revoked ? 'reassign' : 'revoke')} className="min-w-[84px]">
          {serial.revoked ? 'Reassign' : 'Revoke'}
          <span className="sr-only"> {serial.code}</span>
        </Button>
      ) : (
        <RevokeToggle serial={serial} size="md" />
      )}
      <Later when={asked === 'refund' || asked === 'revoke'}>
        <RefundDialog
          serial={serial}
          revoking={asked === 'revoke'}
          open={asked === 'refund' || asked === 'revoke'}
          onOpenChange={close}
        />
      </Later>
      <Later when={asked === 'reinstate' || asked === 'reassign'}>
        <ReinstateDialog
          serial={serial}
          reassigning={asked === 'reassign'}
          open={asked === 'reinstate' || asked === 'reassign'}
          onOpenChange={close}
        />
      </Later>
    </>
  );
}
