import { api } from '#lib/api.ts';
import type { Reseller } from '#lib/types.ts';
import { type Invitation, InviteDialog } from '#widgets/partnerships/invite-dialog.tsx';

interface InviteResellerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The named reseller that the invited account takes over. */
  claim: Reseller | null;
}

export function InviteReseller({ open, onOpenChange, claim }: InviteResellerProps) {
  const send = ({ email, message, rate }: Invitation) =>
    api.inviteResellers({
      body: { email, message, commission_rate: rate, ...(claim ? { partnership_id: claim.id } : {}) },
    });
  return (
    <InviteDialog
      open={open}
      onOpenChange={onOpenChange}
      title={claim ? `Invite ${claim.company_name}` : 'Invite reseller'}
      withRate
      {...(claim ? { offered: claim.commission_rate } : {})}
      send={send}
    />
  );
}
