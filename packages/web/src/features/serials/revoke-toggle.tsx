import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { serialQuery } from '#lib/queries/serials.ts';
import { Button } from '#ui/button.tsx';
import { KeyedButton } from '#ui/buttons/keyed-button.tsx';
import { notify } from '#ui/toast.ts';
import { type MoneyAct, MoneyDialogs } from './money-dialogs.tsx';
import { asksAboutMoney, type Refundable } from './refundable.ts';
import { useRevoke } from './use-revoke.ts';

interface RevokeToggleProps {
  serial: { id: string; code: string; revoked: boolean };
  compact?: boolean;
  size?: 'sm' | 'md';
  /** The one that a single key presses. */
  keyed?: boolean;
}

/** Revokes or reassigns a serial; first looks whether there is money to ask about, and asks. */
export function RevokeToggle({ serial, compact = false, size = 'sm', keyed = false }: RevokeToggleProps) {
  const queryClient = useQueryClient();
  const toggle = useRevoke(serial);
  const [asked, setAsked] = useState<{ serial: Refundable; act: MoneyAct | null } | null>(null);
  const look = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...serialQuery(serial.id), staleTime: 0 }),
    onSuccess: (found) => {
      if (asksAboutMoney(found)) setAsked({ serial: found, act: found.revoked ? 'reassign' : 'revoke' });
      else toggle.mutate(!serial.revoked);
    },
    onError: (error) => notify.error(`Error trying to revoke or reassign ${serial.code}.`, error),
  });
  const face = {
    size,
    variant: compact ? 'ghost' : 'secondary',
    busy: look.isPending || toggle.isPending,
    onClick: () => look.mutate(),
    className: compact ? 'h-6! px-1.5!' : 'min-w-[84px]',
    children: (
      <span>
        {serial.revoked ? 'Reassign' : 'Revoke'}
        <span className="sr-only"> {serial.code}</span>
      </span>
    ),
  } as const;
  return (
    <>
      {keyed ? <KeyedButton does="revoke" {...face} /> : <Button {...face} />}
      {asked ? (
        <MoneyDialogs serial={asked.serial} asked={asked.act} onClose={() => setAsked({ ...asked, act: null })} />
      ) : null}
    </>
  );
}
