import { useMutation, useQueryClient } from '@tanstack/react-query';
import { scopesOf } from '@tonerow/sdk/routes';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { useUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Checkbox, DateInput, Field, Input } from '#ui/forms/field.tsx';
import { ZoneNote } from '#ui/forms/zone-note.tsx';
import { FormError, Notice } from '#ui/states.tsx';

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

export function CreateToken({ open, onOpenChange }: CreateTokenProps) {
  const queryClient = useQueryClient();
  const scopes = scopesOf[useUser()?.is_reseller ? 'reseller' : 'developer'];
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(
    usual.filter((scope) => (scopes as readonly Scope[]).includes(scope)),
  );
  const [expires, setExpires] = useState('');
  const [tried, setTried] = useState(false);
  const create = useMutation({
    mutationFn: () =>
      api.createAccessToken({
        body: {
          name: name.trim(),
          scopes: [...chosen],
          // a day, which means its end in the account's time zone
          ...(expires ? { expires_at: expires } : {}),
        },
      }),
    onSuccess: () => refreshAfter(queryClient, 'accessTokenCreated'),
  });
  const close = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    create.reset();
    setName('');
    setExpires('');
    setTried(false);
  };
  const toggle = (scope: Scope) =>
    setChosen(chosen.includes(scope) ? chosen.filter((item) => item !== scope) : [...chosen, scope]);

  if (create.data) {
    return (
      <Dialog open={open} onOpenChange={close} title="Your new token">
        <div className="mt-4 flex flex-col gap-5">
          <Notice tone="warn">Copy it now. It is shown only this once.</Notice>
          <code className="rounded-md border border-line bg-sunken px-4 py-3 font-mono font-medium break-all">
            {create.data.token}
          </code>
          <div className="flex justify-end gap-2">
            <CopyButton text={create.data.token} what="the token" className="h-9" />
            <Button variant="primary" onClick={() => close(false)}>
              Done
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog open={open} onOpenChange={close} title="Create an access token">
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (name.trim() && chosen.length && !create.isPending) create.mutate();
        }}
      >
        <FormError title="Create failed." error={create.error} />
        <Field label="Name" error={tried && !name.trim() ? 'Enter a name, such as CI.' : undefined}>
          {(control) => (
            <Input
              {...control}
              value={name}
              onChange={(event) => setName(event.target.value)}
              maxLength={100}
              autoComplete="off"
            />
          )}
        </Field>
        <fieldset>
          <legend className="mb-2 text-sm font-medium">What it may do</legend>
          <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                label={
                  <>
                    {words[scope]}
                    <span className="block font-mono text-xs text-muted">{scope}</span>
                  </>
                }
                checked={chosen.includes(scope)}
                onChange={() => toggle(scope)}
              />
            ))}
          </div>
          {tried && chosen.length === 0 ? <p className="mt-2 text-sm text-bad">Choose at least one scope.</p> : null}
        </fieldset>
        <Field label="Expires" optional hint="Without a date it works until you delete it.">
          {(control) => (
            <DateInput
              {...control}
              value={expires}
              onChange={(event) => setExpires(event.target.value)}
              className="max-w-48"
            />
          )}
        </Field>
        <ZoneNote />
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending}>
            Create token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
