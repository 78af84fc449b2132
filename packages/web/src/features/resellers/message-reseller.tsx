import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import type { ResellerProfile } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field, Textarea } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useUnverified, VerifyFirst } from '#widgets/verify-first.tsx';

interface MessageResellerProps {
  reseller: ResellerProfile;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function MessageReseller({ reseller, open, onOpenChange }: MessageResellerProps) {
  const unverified = useUnverified();
  const [message, setMessage] = useState('');
  const [tried, setTried] = useState(false);
  const send = useMutation({
    mutationFn: () => api.messageReseller({ path: { id: reseller.id }, body: { message: message.trim() } }),
    onSuccess: (sent) => {
      notify.success(sent.message);
      setMessage('');
      close(false);
    },
  });
  // what was typed stays until it is sent
  const close = (next: boolean) => {
    onOpenChange(next);
    setTried(false);
    if (!next) send.reset();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={`Message ${reseller.company_name}`}
      description="Sent by email. The reply goes to the email address of your account."
    >
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (message.trim() && !send.isPending) send.mutate();
        }}
      >
        <VerifyFirst />
        <FormError title="The message was not sent." error={send.error} />
        <Field label="Message" error={tried && !message.trim() ? 'Enter a message.' : undefined}>
          {(control) => (
            <Textarea
              {...control}
              rows={6}
              maxLength={5000}
              value={message}
              onChange={(event) => setMessage(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={send.isPending} disabled={unverified !== null}>
            Send message
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
