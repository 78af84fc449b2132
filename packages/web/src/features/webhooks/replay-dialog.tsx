import { useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { todayIn } from '#lib/time/period.ts';
import { accountZone } from '#lib/time/zone.ts';
import type { Webhook } from '#lib/types.ts';
import { DateInput, Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { ZoneNote } from '#ui/forms/zone-note.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';

const states = {
  undelivered: 'Everything that was not delivered',
  failed: 'Failed ones',
  skipped: 'Skipped ones',
  waiting: 'Waiting deliveries, now',
  delivered: 'Delivered events, once more',
} as const;

const KEPT_MS = 30 * 86_400_000;
const dayOf = (time: number) => todayIn(accountZone(), time);

interface ReplayDialogProps {
  webhook: Webhook;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Sends again what did not arrive, with the same ids, so that a receiver recognizes what it already has. */
export function ReplayDialog({ webhook, ...dialog }: ReplayDialogProps) {
  const queryClient = useQueryClient();
  const oldest = dayOf(Date.now() - KEPT_MS);
  const { first_failure_at } = webhook;
  return (
    <FormDialog
      {...dialog}
      title="Replay events"
      description="They are sent with the same ids as before. Events are kept for 30 days."
      values={{
        since: first_failure_at ? dayOf(Date.parse(first_failure_at)) : oldest,
        state: 'undelivered' as keyof typeof states,
      }}
      check={({ since }) => ({ since: !since && 'Enter a date.' })}
      save={async (body) => {
        const { matching, more } = await api.replayWebhook({ path: { id: webhook.id }, body });
        notify.success(
          matching === 0
            ? 'There was nothing to replay.'
            : `${plural(matching, 'event')} will be sent again.${more ? ' Replay the rest when these have been sent.' : ''}`,
        );
        refreshAfter(queryClient, 'webhooksChanged');
      }}
      action="Replay"
      failed="The replay was not started."
      keeps
    >
      {({ register, error }) => (
        <>
          <Field label="Events since" error={error('since')}>
            {(control) => (
              <DateInput {...control} {...register('since')} required min={oldest} max={dayOf(Date.now())} />
            )}
          </Field>
          <Field label="Which" error={error('state')}>
            {(control) => (
              <Select {...control} {...register('state')}>
                {Object.entries(states).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <ZoneNote />
        </>
      )}
    </FormDialog>
  );
}
