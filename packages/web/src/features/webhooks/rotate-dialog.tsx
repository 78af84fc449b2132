import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Webhook } from '#lib/types.ts';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { NewEndpoint } from './new-endpoint.tsx';

const overlaps = [1, 24, 72, 168];

interface RotateDialogProps {
  webhook: Webhook;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A new secret or key signs beside the old one for a while, so that nothing is refused in between. */
export function RotateDialog({ webhook, ...dialog }: RotateDialogProps) {
  const queryClient = useQueryClient();
  const [hours, setHours] = useState(24);
  const what = webhook.signature === 'v1' ? 'secret' : 'key';
  return (
    <FormDialog
      {...dialog}
      className="max-w-xl"
      title={`Rotate the ${what}`}
      description={`Until the old ${what} ends, each event has two signatures: your receiver may know either.${
        webhook.signature === 'v1a' ? ' The key is your account’s: it signs for all webhooks with v1a.' : ''
      }`}
      values={{ overlap_hours: 24 }}
      save={async (body) => {
        const rotated = await api.rotateWebhookSecret({ path: { id: webhook.id }, body });
        setHours(body.overlap_hours);
        refreshAfter(queryClient, 'webhooksChanged');
        return rotated;
      }}
      action="Rotate"
      failed={`The ${what} couldn't be rotated.`}
      after={{
        title: `The new ${what}`,
        description: `Both sign each event for ${plural(hours, 'hour')}. Put the new one into your receiver by then.`,
        once: ({ secret }) => Boolean(secret),
        show: (rotated, close) => <NewEndpoint webhook={rotated.webhook} secret={rotated.secret} onDone={close} />,
      }}
    >
      {({ register, error }) => (
        <Field label={`The old ${what} ends`} error={error('overlap_hours')}>
          {(control) => (
            <Select {...control} {...register('overlap_hours', { valueAsNumber: true })}>
              {overlaps.map((each) => (
                <option key={each} value={each}>
                  In {each < 48 ? plural(each, 'hour') : plural(each / 24, 'day')}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </FormDialog>
  );
}
