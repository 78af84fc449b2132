import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError, endedSession } from '#lib/errors.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { storeSession } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Field, PasswordInput } from '#ui/forms/field.tsx';
import { Notice } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { tokensQuery, tokensWarning, trustsQuery, trustsWarning } from './tokens/tokens-query.ts';

export function PasswordForm({ reseller }: { reseller: boolean }) {
  const queryClient = useQueryClient();
  const [missing, setMissing] = useState(false);
  const tokens = useQuery(tokensQuery);
  const trusts = useQuery({ ...trustsQuery, enabled: !reseller });
  const created = tokens.data?.filter((token) => token.trust_id === null);
  const warning = [
    tokensWarning(created?.map((token) => token.name)),
    trustsWarning(trusts.data?.map((trust) => trust.name)),
  ]
    .filter(Boolean)
    .join(' ');
  const form = useSavedForm({
    values: { oldPassword: '', newPassword: '' },
    ask: (values) => {
      const empty = !values.oldPassword ? 'oldPassword' : !values.newPassword ? 'newPassword' : null;
      setMissing(empty !== null);
      if (empty) form.setFocus(empty);
      else form.send(values);
    },
    save: async (body) => storeSession((await api.updatePassword({ body })).token),
    onSaved: () => {
      form.reset();
      notify.success('Password updated.');
      return refreshAfter(queryClient, 'passwordChanged');
    },
    refused: (error) => {
      if (describeError(error).code !== 'wrong_password') return undefined;
      form.setFocus('oldPassword', { shouldSelect: true });
      return 'whole';
    },
  });
  const failure = missing
    ? reseller
      ? 'Fill in both fields.'
      : 'Please fill in both current and new password.'
    : refusalOf(form.failure);

  return (
    <form {...form.frame} className="flex flex-col gap-5">
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field label="Current password" error={form.error('oldPassword')}>
          {(control) => (
            <PasswordInput {...control} {...form.register('oldPassword')} autoComplete="current-password" />
          )}
        </Field>
        <Field label="New password" hint="At least 10 characters." error={form.error('newPassword')}>
          {(control) => <PasswordInput {...control} {...form.register('newPassword')} autoComplete="new-password" />}
        </Field>
      </div>
      {warning ? <Notice tone="warn">{warning}</Notice> : null}
      {failure ? <Notice>{failure}</Notice> : null}
      <Button type="submit" busy={form.busy} className="self-start">
        Update Password
      </Button>
    </form>
  );
}

/** The refusal, in the words of the specification. */
function refusalOf(error: unknown): string | null {
  if (!error || endedSession(error)) return null;
  const { message, status, code } = describeError(error);
  if (status !== undefined && code !== undefined) return `Failed: ${message}`;
  // something other than the server responded: it has no message to show
  return status !== undefined || code === 'unexpected_answer' ? 'Password update failed.' : 'Error updating password.';
}
