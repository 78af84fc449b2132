import { useState } from 'react';
import type { SerialDetail } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { KeyedButton } from '#ui/buttons/keyed-button.tsx';
import { type MoneyAct, MoneyDialogs } from '../money-dialogs.tsx';
import { RevokeToggle } from '../revoke-toggle.tsx';

/** Actions for the money of a serial, and for its revocation. */
export function RefundActions({ serial }: { serial: SerialDetail }) {
  const [asked, setAsked] = useState<MoneyAct | null>(null);
  return (
    <>
      {serial.refundable > 0 ? (
        <KeyedButton does="refund" onClick={() => setAsked('refund')}>
          Refund
        </KeyedButton>
      ) : null}
      {serial.refunded > 0 ? <Button onClick={() => setAsked('reinstate')}>Take refund back</Button> : null}
      <RevokeToggle serial={serial} size="md" keyed />
      <MoneyDialogs serial={serial} asked={asked} onClose={() => setAsked(null)} />
    </>
  );
}
