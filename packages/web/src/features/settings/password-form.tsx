import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { describeError, endedSession, showFieldErrors } from '#lib/errors.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { endSessionOn401 } from '#lib/query.ts';
import { storeSession } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Field, PasswordInput } from '#ui/forms/field.tsx';
import { Notice } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { tokensQuery, tokensWarning } from './tokens-query.ts';

export function PasswordForm({ reseller }: { reseller: boolean }) {
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const tokens = useQuery(tokensQuery);
  const warning = tokensWarning(tokens.data?.map((token) => token.name));
  const form = useForm({ defaultValues: { oldPassword: '', newPassword: '' } });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    setFailure(null);
    if (!values.oldPassword || !values.newPassword) {
      setFailure(reseller ? 'Fill in both fields.' : 'Please fill in both current and new password.');
      form.setFocus(values.oldPassword ? 'newPassword' : 'oldPassword');
      return;
    }
    try {
      const { token } = await api.updatePassword({ body: values });
      storeSession(token);
      form.reset();
      notify.success('Password updated.');
      await refreshAfter(queryClient, 'passwordChanged');
    } catch (error) {
      endSessionOn401(error);
      if (endedSession(error)) return;
      const { message, status, code } = describeError(error);
      // a wrong password belongs to its field; other refusals use the specification's wording
      if (code === 'invalid_request' && showFieldErrors(error, form.setError, ['oldPassword', 'newPassword'])) return;
      if (code === 'wrong_password') form.setFocus('oldPassword', { shouldSelect: true });
      // something other than the server responded: it has no message to show
      const answered = status !== undefined || code === 'unexpected_answer';
      const refused = status !== undefined && code !== undefined;
      setFailure(refused ? `Failed: ${message}` : answered ? 'Password update failed.' : 'Error updating password.');
    }
  });

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field label="Current password" error={errors.oldPassword?.message}>
          {(control) => (
            <PasswordInput {...control} {...form.register('oldPassword')} autoComplete="current-password" />
          )}
        </Field>
        <Field label="New password" hint="At least 10 characters." error={errors.newPassword?.message}>
          {(control) => <PasswordInput {...control} {...form.register('newPassword')} autoComplete="new-password" />}
        </Field>
      </div>
      {warning ? <Notice tone="warn">{warning}</Notice> : null}
      {failure ? <Notice>{failure}</Notice> : null}
      <Button type="submit" busy={isSubmitting} className="self-start">
        Update Password
      </Button>
    </form>
  );
}
