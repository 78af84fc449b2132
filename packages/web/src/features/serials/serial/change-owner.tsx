import { useState } from 'react';
import type { SerialDetail } from '#lib/types.ts';
import { KeyedButton } from '#ui/buttons/keyed-button.tsx';
import { TransferDialog } from '../transfer-dialog.tsx';

/** The button that changes the owner of a serial that has one. */
export function ChangeOwner({ serial: { id, code, customer } }: { serial: SerialDetail }) {
  const [open, setOpen] = useState(false);
  if (!customer) return null;
  return (
    <>
      <KeyedButton does="owner" onClick={() => setOpen(true)}>
        Change owner
      </KeyedButton>
      <TransferDialog serial={{ id, code, customer }} open={open} onOpenChange={setOpen} />
    </>
  );
}
