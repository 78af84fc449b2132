import { useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '@tonerow/sdk';
import { api } from '#lib/api.ts';
import { useAttempt } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { useAccount } from '#lib/session/session.ts';
import type { Webhook } from '#lib/types.ts';
import { Checkbox, Field, Input } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { EventChoice } from './event-choice.tsx';
import { NewEndpoint } from './new-endpoint.tsx';

interface WebhookDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The endpoint to change; without it a new one is made. */
  webhook?: Webhook;
}

type Draft = Pick<Webhook, 'url' | 'description' | 'events' | 'signature' | 'include_personal' | 'include_codes'>;
/** The secret is in the answer to a new one alone. */
interface Saved {
  webhook: Webhook;
  secret: string | null;
}
type EventNames = InputOf<'createWebhook'>['body']['events'];

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

function addressMistake(url: string): string | undefined {
  if (url === '') return 'Enter an address.';
  if (!URL.canParse(url)) return 'Enter an address such as https://example.com/hooks.';
  // the server knows whether http is allowed
  return /^https?:/i.test(url) ? undefined : 'The address must begin with https.';
}

/** Adds an endpoint and shows its secret once, or changes one. */
export function WebhookDialog({ webhook, ...dialog }: WebhookDialogProps) {
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const isReseller = useAccount()?.is_reseller ?? false;
  const save = async (draft: Draft): Promise<Saved> => {
    const body = { ...draft, events: draft.events as EventNames };
    const made = webhook
      ? { webhook: await api.updateWebhook({ path: { id: webhook.id }, body }), secret: null }
      : await attempt(body, (idempotencyKey) => api.createWebhook({ body }, { idempotencyKey }));
    refreshAfter(queryClient, 'webhooksChanged');
    return made;
  };
  return (
    <FormDialog
      {...dialog}
      className="max-w-xl"
      title={webhook ? 'Change the webhook' : 'Add a webhook'}
      description="Each event is a POST with a signed JSON body. Any 2xx answer counts as received."
      values={webhook ? draftOf(webhook) : blank}
      check={({ url, events }) => ({
        url: addressMistake(url.trim()),
        events: events.length === 0 && 'Choose at least one event.',
      })}
      save={save}
      action={webhook ? 'Save' : 'Add webhook'}
      failed="The webhook was not saved."
      verified
      guarded
      {...(webhook
        ? {}
        : {
            after: {
              title: 'Your new webhook',
              once: ({ secret }: Saved) => Boolean(secret),
              show: (made: Saved, close: () => void) => (
                <NewEndpoint webhook={made.webhook} secret={made.secret} onDone={close} />
              ),
            },
          })}
    >
      {({ register, error, watch, setValue }) => (
        <>
          <Field label="Address" error={error('url')} hint="https, with a public host.">
            {(control) => (
              <Input
                {...control}
                {...register('url')}
                type="url"
                inputMode="url"
                placeholder="https://shop.example.com/webhooks"
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label="Description" optional error={error('description')}>
            {(control) => <Input {...control} {...register('description')} maxLength={200} autoComplete="off" />}
          </Field>
          <EventChoice
            value={watch('events')}
            onChange={(events) => setValue('events', events, { shouldDirty: true, shouldValidate: true })}
            error={error('events')}
          />
          <Field
            label="Signature"
            error={error('signature')}
            hint={
              watch('signature') === 'v1a'
                ? 'A public key, for receivers that must not hold a secret.'
                : webhook?.signature === 'v1a'
                  ? 'A secret. To see one that your receiver can verify with, rotate it after this.'
                  : 'A secret that only you and this server know.'
            }
          >
            {(control) => (
              <Select {...control} {...register('signature')}>
                <option value="v1">v1: HMAC-SHA256</option>
                <option value="v1a">v1a: Ed25519</option>
              </Select>
            )}
          </Field>
          <Checkbox
            {...register('include_codes')}
            label="Include the codes of serials"
            hint="Without them, the receiver knows a serial by its id."
          />
          {/* resellers are told nothing of customers */}
          {isReseller ? null : (
            <Checkbox
              {...register('include_personal')}
              label="Include names and email addresses of customers"
              hint="Only if the receiver needs them: whoever reads its logs reads them too."
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
