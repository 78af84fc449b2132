import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { PasswordStep } from './password-step.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { type DialogState, fieldMessage } from './two-factor-query.ts';

/** Password, then the QR code and the app's first code, then the recovery codes. */
export function SetUpTwoFactor({ open, onOpenChange }: DialogState) {
  const queryClient = useQueryClient();
  const [code, setCode] = useState('');
  const [hurried, setHurried] = useState(false);
  const setUp = useMutation({ mutationFn: (password: string) => api.setUpTwoFactor({ body: { password } }) });
  const enable = useMutation({
    mutationFn: () => api.enableTwoFactor({ body: { code: code.trim() } }),
    onSuccess: () => refreshAfter(queryClient, 'twoFactorChanged'),
  });
  const end = () => {
    onOpenChange(false);
    setUp.reset();
    enable.reset();
    setCode('');
    setHurried(false);
  };
  const codes = enable.data?.recovery_codes;
  const close = () => (codes ? setHurried(true) : end());

  if (codes) {
    const kept = () => {
      end();
      notify.success('Two-factor sign-in is on.');
    };
    return (
      <Dialog open={open} onOpenChange={close} title="Save your recovery codes">
        <RecoveryCodes codes={codes} hurried={hurried} onKept={kept} />
      </Dialog>
    );
  }
  if (!setUp.data) {
    return (
      <Dialog open={open} onOpenChange={close} title="Switch on two-factor sign-in">
        <PasswordStep
          action="Continue"
          busy={setUp.isPending}
          error={setUp.error}
          onSubmit={(password) => setUp.mutate(password)}
          onCancel={end}
        />
      </Dialog>
    );
  }
  const message = fieldMessage(enable.error, 'code');
  return (
    <Dialog open={open} onOpenChange={close} title="Scan this with your authenticator app">
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim() && !enable.isPending) enable.mutate();
        }}
      >
        <div className="flex flex-col items-center gap-4 sm:flex-row sm:items-start">
          {/* As a picture the markup can't run anything. It is black on white in both themes, as scanners want it. */}
          <img
            src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(setUp.data.qr_svg)}`}
            alt="QR code with the secret for your authenticator app"
            width={176}
            height={176}
            className="size-44 shrink-0 rounded-md border border-line bg-white"
          />
          <div className="flex min-w-0 flex-col gap-2 text-sm text-muted">
            <p>Can't scan it? Type this secret into the app instead.</p>
            <code className="font-mono font-medium text-text">{setUp.data.secret.match(/.{1,4}/g)?.join(' ')}</code>
            <CopyButton text={setUp.data.secret} what="the secret" className="self-start" />
          </div>
        </div>
        {message ? null : <FormError error={enable.error} />}
        <Field label="Code from the app" hint="Six digits. They change every 30 seconds." error={message}>
          {(control) => (
            <Input
              {...control}
              value={code}
              onChange={(event) => setCode(event.target.value)}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={20}
              className="max-w-44 font-mono tracking-[0.12em]"
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={end}>Cancel</Button>
          <Button type="submit" variant="primary" busy={enable.isPending} disabled={!code.trim()}>
            Switch on
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
