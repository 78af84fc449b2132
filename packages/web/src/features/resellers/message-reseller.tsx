import { api } from '#lib/api.ts';
import type { ResellerProfile } from '#lib/types.ts';
import { Field, Textarea } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';

interface MessageResellerProps {
  reseller: ResellerProfile;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function MessageReseller({ reseller, ...dialog }: MessageResellerProps) {
  const send = async (message: string) => {
    const sent = await api.messageReseller({ path: { id: reseller.id }, body: { message } });
    notify.success(sent.message);
  };
  return (
    <FormDialog
      {...dialog}
      title={`Message ${reseller.company_name}`}
      description="Sent by email. The reply goes to the email address of your account."
      values={{ message: '' }}
      check={({ message }) => ({ message: !message.trim() && 'Enter a message.' })}
      save={({ message }) => send(message.trim())}
      action="Send message"
      failed="The message was not sent."
      verified
      keeps
    >
      {({ register, error }) => (
        <Field label="Message" error={error('message')}>
          {(control) => <Textarea {...control} {...register('message')} rows={6} maxLength={5000} />}
        </Field>
      )}
    </FormDialog>
  );
}
