import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { todayIn } from '#lib/time/period.ts';
import { accountZone } from '#lib/time/zone.ts';
import type { Webhook } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { DateInput, Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { ZoneNote } from '#ui/forms/zone-note.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';

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

/** Sends again what did not arrive, with the same ids, so that a receiver can tell what it has already seen. */
export function ReplayDialog({ webhook, open, onOpenChange }: ReplayDialogProps) {
  const queryClient = useQueryClient();
  const oldest = dayOf(Date.now() - KEPT_MS);
  const [since, setSince] = useState<string | null>(null);
  const [state, setState] = useState<keyof typeof states>('undelivered');
  const day = since ?? (webhook.first_failure_at ? dayOf(Date.parse(webhook.first_failure_at)) : oldest);
  const replay = useMutation({
    mutationFn: () => api.replayWebhook({ path: { id: webhook.id }, body: { since: day, state } }),
    onSuccess: async ({ matching, more }) => {
      onOpenChange(false);
      notify.success(
        matching === 0
          ? 'There was nothing to replay.'
          : `${plural(matching, 'event')} will be sent again.${more ? ' Replay the rest when these have been sent.' : ''}`,
      );
      await refreshAfter(queryClient, 'webhooksChanged');
    },
  });
  const close = (next: boolean) => {
    onOpenChange(next);
    if (!next) replay.reset();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Replay events"
      description="They are sent with the same ids as before. Events are kept for 30 days."
    >
      <form
        className="mt-5 flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!replay.isPending) replay.mutate();
        }}
      >
        <FormError title="The replay wasn't started:" error={replay.error} />
        <Field label="Events since">
          {(control) => (
            <DateInput
              {...control}
              required
              value={day}
              min={oldest}
              max={dayOf(Date.now())}
              onChange={(event) => setSince(event.target.value)}
            />
          )}
        </Field>
        <Field label="Which">
          {(control) => (
            <Select
              {...control}
              value={state}
              onChange={(event) => setState(event.target.value as keyof typeof states)}
            >
              {Object.entries(states).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <ZoneNote />
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={replay.isPending}>
            Replay
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
