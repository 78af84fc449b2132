import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field, Input, Textarea } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useUnverified, VerifyFirst } from '../verify-first.tsx';

export interface Invitation {
  email: string;
  message: string | null;
  /** In percent. */
  rate: number;
}

interface InviteDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Developers decide the commission. */
  withRate?: boolean;
  /** The commission that is offered unless it is changed, in percent. */
  offered?: number;
  send: (invitation: Invitation) => Promise<{ message: string }>;
}

/** Invites one address by email. */
export function InviteDialog({ open, onOpenChange, title, withRate = false, offered = 20, send }: InviteDialogProps) {
  const queryClient = useQueryClient();
  const unverified = useUnverified();
  const [email, setEmail] = useState('');
  const [message, setMessage] = useState('');
  const [changedRate, setChangedRate] = useState<string | null>(null);
  const rate = changedRate ?? String(offered);
  const [tried, setTried] = useState(false);
  const invite = useMutation({
    mutationFn: () => send({ email: email.trim(), message: message.trim() || null, rate: Number(rate) }),
    onSuccess: async (sent) => {
      notify.success(sent.message);
      close(false);
      await refreshAfter(queryClient, 'invitesChanged');
    },
  });
  const close = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    invite.reset();
    setEmail('');
    setMessage('');
    setChangedRate(null);
    setTried(false);
  };
  const rateWrong = withRate && !(/^\d+(\.\d{1,2})?$/.test(rate.trim()) && Number(rate) <= 100);
  return (
    <Dialog open={open} onOpenChange={close} title={title}>
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (email.trim() && !rateWrong && !invite.isPending) invite.mutate();
        }}
      >
        <VerifyFirst />
        <FormError title="Failed to send invite." error={invite.error} />
        <Field label="Email" error={tried && !email.trim() ? 'Enter an email address.' : undefined}>
          {(control) => (
            <Input
              {...control}
              type="email"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        {withRate ? (
          <Field
            label="Commission in percent"
            hint="Of the price at redemption."
            error={tried && rateWrong ? 'Enter a percentage from 0 to 100, such as 12.5.' : undefined}
          >
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                value={rate}
                onChange={(event) => setChangedRate(event.target.value)}
                className="max-w-32"
              />
            )}
          </Field>
        ) : null}
        <Field label="Message" optional hint="Added to the email, as plain text.">
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={1000}
              value={message}
              onChange={(event) => setMessage(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={invite.isPending} disabled={unverified !== null}>
            Send invite
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
