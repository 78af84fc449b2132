import { useQueryClient } from '@tanstack/react-query';
import { rateMistake } from '#lib/format/amount.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { Field, Input, Textarea } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '../forms/form-dialog.tsx';

export interface Invitation {
  email: string;
  message: string | null;
  /** Percent. */
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
export function InviteDialog({ withRate = false, offered = 20, send, ...dialog }: InviteDialogProps) {
  const queryClient = useQueryClient();
  return (
    <FormDialog
      {...dialog}
      values={{ email: '', commission_rate: String(offered), message: '' }}
      check={({ email, commission_rate }) => ({
        email: !email.trim() && 'Enter an email address.',
        commission_rate: withRate && rateMistake(commission_rate),
      })}
      save={async ({ email, commission_rate, message }) => {
        const sent = await send({
          email: email.trim(),
          message: message.trim() || null,
          rate: Number(commission_rate),
        });
        notify.success(sent.message);
        refreshAfter(queryClient, 'invitesChanged');
      }}
      action="Send invite"
      failed="Failed to send invite."
      verified
    >
      {({ register, error }) => (
        <>
          <Field label="Email" error={error('email')}>
            {(control) => (
              <Input {...control} {...register('email')} type="email" autoComplete="off" spellCheck={false} />
            )}
          </Field>
          {withRate ? (
            <Field label="Commission in percent" hint="Of the price at redemption." error={error('commission_rate')}>
              {(control) => (
                <Input {...control} {...register('commission_rate')} inputMode="decimal" className="max-w-32" />
              )}
            </Field>
          ) : null}
          <Field label="Message" optional hint="Added to the email, as plain text." error={error('message')}>
            {(control) => <Textarea {...control} {...register('message')} rows={3} maxLength={1000} />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
