import { useQueryClient } from '@tanstack/react-query';
import { scopesOf } from '@tonerow/sdk/routes';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { useAccount } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Checkbox, DateInput, Field, FieldError, Input } from '#ui/forms/field.tsx';
import { ZoneNote } from '#ui/forms/zone-note.tsx';
import { Notice } from '#ui/states.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';

type Scope = Parameters<typeof api.createAccessToken>[0]['body']['scopes'][number];

/** Every scope that the API knows; a new one does not compile until it has a description. */
const words: Record<Scope, string> = {
  'account:read': 'View the account',
  'account:write': 'Change branding and domains',
  'products:read': 'View products and files',
  'products:write': 'Change products and files',
  'serials:read': 'View serials',
  'serials:write': 'Create and change serials',
  'keys:read': 'View plugin keys',
  'keys:write': 'Change plugin keys',
  'customers:read': 'View customers',
  'customers:write': 'Change customers',
  'analytics:read': 'View analytics',
  'refunds:write': 'Refund redemptions',
  'sales:read': 'View sales and commissions',
  'resellers:read': 'View resellers',
  'stock:read': 'View stock, draws and downloads',
  'stock:write': 'Draw, return and download serials',
  'deals:read': 'View deals',
  'deals:write': 'Request and decline deals',
  'resellers:write': 'Change, pause, end and message resellers',
  'partners:read': 'View the developers you sell for',
  'payouts:read': 'View payout statements',
  'payouts:write': 'Confirm, dispute and settle payout statements',
  'webhooks:read': 'View webhooks and their deliveries',
  'webhooks:write': 'Change and test webhooks',
  'invites:read': 'View invitations',
  'invites:write': 'Send and answer invitations',
};

/** Chosen at first, as far as they fit the account. */
const usual: Scope[] = ['account:read', 'products:read', 'serials:read', 'stock:read', 'sales:read'];

interface CreateTokenProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateToken(dialog: CreateTokenProps) {
  const queryClient = useQueryClient();
  const scopes: readonly Scope[] = scopesOf[useAccount()?.is_reseller ? 'reseller' : 'developer'];
  return (
    <FormDialog
      {...dialog}
      className="max-w-xl"
      title="Create an access token"
      values={{ name: '', scopes: usual.filter((scope) => scopes.includes(scope)), expires_at: '' }}
      check={({ name, scopes }) => ({
        name: !name.trim() && 'Enter a name, such as CI.',
        scopes: scopes.length === 0 && 'Choose at least one scope.',
      })}
      save={async ({ name, scopes, expires_at }) => {
        const made = await api.createAccessToken({
          // a day means its end in the account's time zone
          body: { name: name.trim(), scopes, ...(expires_at ? { expires_at } : {}) },
        });
        refreshAfter(queryClient, 'accessTokenCreated');
        return made;
      }}
      action="Create token"
      failed="Create failed."
      after={{
        title: 'Your new token',
        once: () => true,
        show: ({ token }, close) => <NewToken token={token} onDone={close} />,
      }}
    >
      {({ register, error }) => (
        <>
          <Field label="Name" error={error('name')}>
            {(control) => <Input {...control} {...register('name')} maxLength={100} autoComplete="off" />}
          </Field>
          <fieldset className="flex flex-col gap-2" aria-describedby={error('scopes') ? 'scopes-error' : undefined}>
            <legend className="mb-2 text-sm font-medium">What it may do</legend>
            <div className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-2">
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  {...register('scopes')}
                  value={scope}
                  label={
                    <>
                      {words[scope]}
                      <span className="block font-mono text-xs text-muted">{scope}</span>
                    </>
                  }
                />
              ))}
            </div>
            {error('scopes') ? <FieldError id="scopes-error">{error('scopes')}</FieldError> : null}
          </fieldset>
          <Field
            label="Expires"
            optional
            hint="Without a date it works until you delete it."
            error={error('expires_at')}
          >
            {(control) => <DateInput {...control} {...register('expires_at')} className="max-w-48" />}
          </Field>
          <ZoneNote />
        </>
      )}
    </FormDialog>
  );
}

function NewToken({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <div className="mt-4 flex flex-col gap-5">
      <Notice tone="warn">Copy it now. It is shown only this once.</Notice>
      <code className="rounded-md border border-line bg-sunken px-4 py-3 font-mono font-medium break-all">{token}</code>
      <div className="flex justify-end gap-2">
        <CopyButton text={token} what="the token" className="h-9" />
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
