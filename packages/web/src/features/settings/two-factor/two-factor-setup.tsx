import { useQueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '@tonerow/sdk';
import { useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import type { FormParts } from '#ui/forms/form-parts.ts';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { PasswordField } from '../password-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import type { DialogState } from './two-factor-query.ts';

interface Values {
  password: string;
  code: string;
}
type Secret = AnswerOf<'setUpTwoFactor'>;

/** Password, then the QR code and the app's first code, then the recovery codes. */
export function SetUpTwoFactor({ open, onOpenChange }: DialogState) {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<Secret | null>(null);
  useEffect(() => {
    if (open) setSecret(null);
  }, [open]);
  const save = async ({ password, code }: Values) => {
    if (!secret) {
      setSecret(await api.setUpTwoFactor({ body: { password } }));
      return undefined;
    }
    const { recovery_codes } = await api.enableTwoFactor({ body: { code: code.trim() } });
    refreshAfter(queryClient, 'twoFactorChanged');
    return recovery_codes;
  };
  return (
    <FormDialog<Values, string[]>
      open={open}
      onOpenChange={onOpenChange}
      title={secret ? 'Scan this with your authenticator app' : 'Switch on two-factor sign-in'}
      values={{ password: '', code: '' }}
      save={save}
      ready={({ password, code }) => (secret ? code.trim() : password) !== ''}
      more={!secret}
      action={secret ? 'Switch on' : 'Continue'}
      after={{
        title: 'Save your recovery codes',
        insists: true,
        show: (codes, close, hurried) => {
          const kept = () => {
            close();
            notify.success('Two-factor sign-in is on.');
          };
          return <RecoveryCodes codes={codes} hurried={hurried} onKept={kept} />;
        },
      }}
    >
      {(form) => (secret ? <FirstCode form={form} secret={secret} /> : <PasswordField form={form} />)}
    </FormDialog>
  );
}

function FirstCode({ form, secret }: { form: FormParts<Values>; secret: Secret }) {
  const { setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);
  return (
    <>
      <div className="flex flex-col items-center gap-4 sm:flex-row sm:items-start">
        {/* As a picture the markup can't run anything. It is black on white in both themes, as scanners want it. */}
        <img
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(secret.qr_svg)}`}
          alt="QR code with the secret for your authenticator app"
          width={176}
          height={176}
          className="size-44 shrink-0 rounded-md border border-line bg-white"
        />
        <div className="flex min-w-0 flex-col gap-2 text-sm text-muted">
          <p>Can't scan it? Type this secret into the app instead.</p>
          <code className="font-mono font-medium text-text">{secret.secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={secret.secret} what="the secret" className="self-start" />
        </div>
      </div>
      <Field label="Code from the app" hint="Six digits. They change every 30 seconds." error={form.error('code')}>
        {(control) => (
          <Input
            {...control}
            {...form.register('code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={20}
            className="max-w-44 font-mono tracking-[0.12em]"
          />
        )}
      </Field>
    </>
  );
}
