import { useQueryClient } from '@tanstack/react-query';
import { scopesOf } from '@tonerow/sdk/routes';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { useAccount } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { DateInput, Field, Input } from '#ui/forms/field.tsx';
import { ZoneNote } from '#ui/forms/zone-note.tsx';
import { Notice } from '#ui/states.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { type Scope, ScopeChoices, usual } from './scope-choices.tsx';

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
          <ScopeChoices scopes={scopes} input={register('scopes')} error={error('scopes')} />
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
