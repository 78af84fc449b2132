import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import type { Webhook } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FormError } from '#ui/states.tsx';
import { NewEndpoint } from './new-endpoint.tsx';

const overlaps = [1, 24, 72, 168];

interface RotateDialogProps {
  webhook: Webhook;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A new secret or key signs beside the old one for a while, so that nothing is refused in between. */
export function RotateDialog({ webhook, open, onOpenChange }: RotateDialogProps) {
  const queryClient = useQueryClient();
  const [hours, setHours] = useState(24);
  const rotate = useMutation({
    mutationFn: () => api.rotateWebhookSecret({ path: { id: webhook.id }, body: { overlap_hours: hours } }),
    onSuccess: () => refreshAfter(queryClient, 'webhooksChanged'),
  });
  const close = (next: boolean) => {
    // the answer has what is shown only now
    if (rotate.isPending) return;
    onOpenChange(next);
    if (!next) rotate.reset();
  };
  const what = webhook.signature === 'v1' ? 'secret' : 'key';
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      className="max-w-xl"
      shownOnce={Boolean(rotate.data?.secret)}
      title={rotate.data ? `The new ${what}` : `Rotate the ${what}`}
      description={
        rotate.data
          ? `Both sign each event for ${plural(hours, 'hour')}. Put the new one into your receiver by then.`
          : `Until the old ${what} ends, each event has two signatures: your receiver may know either.${
              webhook.signature === 'v1a' ? ' The key is your account’s: it signs for all webhooks with v1a.' : ''
            }`
      }
    >
      {rotate.data ? (
        <NewEndpoint webhook={rotate.data.webhook} secret={rotate.data.secret} onDone={() => close(false)} />
      ) : (
        <form
          className="mt-5 flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (!rotate.isPending) rotate.mutate();
          }}
        >
          <FormError title={`The ${what} couldn't be rotated:`} error={rotate.error} />
          <Field label={`The old ${what} ends`}>
            {(control) => (
              <Select {...control} value={hours} onChange={(event) => setHours(Number(event.target.value))}>
                {overlaps.map((each) => (
                  <option key={each} value={each}>
                    In {each < 48 ? plural(each, 'hour') : plural(each / 24, 'day')}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <div className="flex justify-end gap-2">
            <Button disabled={rotate.isPending} onClick={() => close(false)}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" busy={rotate.isPending}>
              Rotate
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
