import { useState } from 'react';
import type { SerialDetail } from '../../../lib/types.ts';
import { Button } from '../../../ui/button.tsx';
import { TransferDialog } from '../transfer-dialog.tsx';

/** For a serial that somebody has. */
export function ChangeOwner({ serial: { id, code, customer } }: { serial: SerialDetail }) {
  const [open, setOpen] = useState(false);
  if (!customer) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Change owner</Button>
      <TransferDialog serial={{ id, code, customer }} open={open} onOpenChange={setOpen} />
    </>
  );
}
