import type { InputOf } from '@tonerow/sdk';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Checkbox, FieldError } from '#ui/forms/field.tsx';

export type Scope = InputOf<'createAccessToken'>['body']['scopes'][number];

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
  'shops:read': 'View shops and their orders',
  'shops:write': 'Connect shops and record sales',
  'invites:read': 'View invitations',
  'invites:write': 'Send and answer invitations',
};

/** Chosen at first, as far as they fit the account. */
export const usual: Scope[] = ['account:read', 'products:read', 'serials:read', 'stock:read', 'sales:read'];

/** Choices among the scopes that fit an account. */
export function ScopeChoices({
  scopes,
  input,
  error,
}: {
  scopes: readonly Scope[];
  input: UseFormRegisterReturn;
  error: string | undefined;
}) {
  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={error ? 'scopes-error' : undefined}>
      <legend className="mb-2 text-sm font-medium">What it may do</legend>
      <div className="grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-2">
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            {...input}
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
      {error ? <FieldError id="scopes-error">{error}</FieldError> : null}
    </fieldset>
  );
}
