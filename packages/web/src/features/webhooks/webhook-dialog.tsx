import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError, fieldErrors } from '#lib/errors.ts';
import { useAttemptKey } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { getToken, useUser } from '#lib/session/session.ts';
import type { Webhook } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Checkbox, Field, Input } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { FormError } from '#ui/states.tsx';
import { useUnverified, VerifyFirst } from '#widgets/verify-first.tsx';
import { EventChoice } from './event-choice.tsx';
import { NewEndpoint } from './new-endpoint.tsx';

interface WebhookDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The endpoint to change; without it a new one is made. */
  webhook?: Webhook;
}

type Draft = Pick<Webhook, 'url' | 'description' | 'events' | 'signature' | 'include_personal' | 'include_codes'>;
type EventNames = Parameters<typeof api.createWebhook>[0]['body']['events'];

const blank: Draft = {
  url: '',
  description: '',
  events: ['*'],
  signature: 'v1',
  include_personal: false,
  include_codes: true,
};

const draftOf = ({ url, description, events, signature, include_personal, include_codes }: Webhook): Draft => ({
  url,
  description,
  events,
  signature,
  include_personal,
  include_codes,
});

/** What can be told without the server, which stops at the first kind of mistake: so all of them are shown at once. */
function mistakesOf({ url, events }: Draft): { url?: string; events?: string } {
  return {
    ...addressMistake(url.trim()),
    ...(events.length === 0 ? { events: 'Choose at least one event.' } : {}),
  };
}

function addressMistake(url: string): { url?: string } {
  if (url === '') return { url: 'Enter an address.' };
  if (!URL.canParse(url)) return { url: 'Enter an address such as https://example.com/hooks.' };
  // the server knows whether http is allowed
  return /^https?:/i.test(url) ? {} : { url: 'The address must begin with https.' };
}

/** Adds an endpoint and shows its secret once, or changes one. */
export function WebhookDialog({ open, onOpenChange, webhook }: WebhookDialogProps) {
  const queryClient = useQueryClient();
  const attempt = useAttemptKey();
  const unverified = useUnverified();
  const isReseller = useUser()?.is_reseller ?? false;
  const [typed, setTyped] = useState<Draft | null>(null);
  const [tried, setTried] = useState(false);
  const draft = typed ?? (webhook ? draftOf(webhook) : blank);
  const changed = typed !== null && JSON.stringify(typed) !== JSON.stringify(webhook ? draftOf(webhook) : blank);
  const set = (change: Partial<Draft>) => setTyped({ ...draft, ...change });
  const save = useMutation({
    mutationFn: async () => {
      const body = { ...draft, events: draft.events as EventNames };
      if (!webhook) return api.createWebhook({ body }, { idempotencyKey: attempt.keyFor(body) });
      return { webhook: await api.updateWebhook({ path: { id: webhook.id }, body }), secret: null };
    },
    onSuccess: async () => {
      attempt.answered();
      await refreshAfter(queryClient, 'webhooksChanged');
      if (webhook) close(false);
    },
    onError: (error) => attempt.answered(describeError(error).status ?? 0),
  });
  const close = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    setTyped(null);
    setTried(false);
    save.reset();
  };
  const refused = fieldErrors(save.error, ['url', 'description', 'events', 'signature']);
  const mistakes = mistakesOf(draft);
  const fields = { ...refused.fields, ...(tried ? mistakes : {}) };
  const made = webhook ? undefined : save.data;
  return (
    <Dialog
      open={open}
      // the answer has the secret, which is shown only once
      onOpenChange={(next) => (save.isPending ? undefined : close(next))}
      className="max-w-xl"
      unsaved={changed && !made}
      shownOnce={Boolean(made?.secret)}
      title={made ? 'Your new webhook' : webhook ? 'Change the webhook' : 'Add a webhook'}
      {...(made
        ? {}
        : { description: 'Each event is a POST with a signed JSON body. Any 2xx answer counts as received.' })}
    >
      {made ? (
        <NewEndpoint webhook={made.webhook} secret={made.secret} onDone={() => close(false)} />
      ) : (
        <form
          noValidate
          className="mt-5 flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            setTried(true);
            if (!save.isPending && Object.keys(mistakes).length === 0) save.mutate();
          }}
        >
          {changed ? <UnsavedGuard dirty={() => getToken() !== null} /> : null}
          <VerifyFirst />
          <FormError title="It wasn't saved:" error={refused.other} />
          <Field label="Address" error={fields.url} hint="https, with a public host.">
            {(control) => (
              <Input
                {...control}
                type="url"
                inputMode="url"
                placeholder="https://shop.example.com/webhooks"
                value={draft.url}
                onChange={(event) => set({ url: event.target.value })}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label="Description" optional error={fields.description}>
            {(control) => (
              <Input
                {...control}
                value={draft.description}
                onChange={(event) => set({ description: event.target.value })}
                maxLength={200}
                autoComplete="off"
              />
            )}
          </Field>
          <EventChoice value={draft.events} onChange={(events) => set({ events })} error={fields.events} />
          <Field
            label="Signature"
            error={fields.signature}
            hint={
              draft.signature === 'v1a'
                ? 'A public key, for receivers that must not hold a secret.'
                : webhook?.signature === 'v1a'
                  ? 'A secret. To see one that your receiver can verify with, rotate it after this.'
                  : 'A secret that only you and this server know.'
            }
          >
            {(control) => (
              <Select
                {...control}
                value={draft.signature}
                onChange={(event) => set({ signature: event.target.value as Draft['signature'] })}
              >
                <option value="v1">v1: HMAC-SHA256</option>
                <option value="v1a">v1a: Ed25519</option>
              </Select>
            )}
          </Field>
          <Checkbox
            label="Include the codes of serials"
            hint="Without them, the receiver knows a serial by its id."
            checked={draft.include_codes}
            onChange={(event) => set({ include_codes: event.target.checked })}
          />
          {/* resellers are told nothing of customers */}
          {isReseller ? null : (
            <Checkbox
              label="Include names and email addresses of customers"
              hint="Only if the receiver needs them: whoever reads its logs reads them too."
              checked={draft.include_personal}
              onChange={(event) => set({ include_personal: event.target.checked })}
            />
          )}
          <div className="flex justify-end gap-2">
            <Button disabled={save.isPending} onClick={() => close(false)}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" busy={save.isPending} disabled={unverified !== null}>
              {webhook ? 'Save' : 'Add webhook'}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
