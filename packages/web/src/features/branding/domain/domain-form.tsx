import { useQueryClient } from '@tanstack/react-query';
import { TonerowError } from '@tonerow/sdk';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { useUnverified, VerifyFirst } from '#widgets/verify-first.tsx';
import { hostIn, isBare, isHost } from './domain.ts';

export function DomainForm() {
  const queryClient = useQueryClient();
  const unverified = useUnverified();
  const form = useSavedForm({
    values: { domain: '' },
    check: ({ domain }) => ({ domain: !isHost(hostIn(domain)) && 'Invalid domain format.' }),
    save: async ({ domain: typed }) => {
      const domain = hostIn(typed);
      form.setValue('domain', domain);
      const { verified, message } = await api.setCustomDomain({ body: { domain } });
      if (verified) notify.success(message);
      else notify.error(message);
      await refreshAfter(queryClient, 'domainChanged');
    },
    refused: (error) => ({
      domain: (error instanceof TonerowError && error.errors?.[0]?.message) || describeError(error).message,
    }),
  });
  const host = hostIn(form.watch('domain'));
  return (
    <form {...form.frame} className="flex flex-col gap-4">
      <VerifyFirst />
      <Field
        label="Domain"
        error={form.error('domain')}
        hint={
          isHost(host) && isBare(host)
            ? `Most providers don't allow a CNAME without a subdomain. Try app.${host}.`
            : undefined
        }
      >
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <Input
              {...control}
              {...form.register('domain')}
              placeholder="app.yourcompany.com"
              inputMode="url"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              maxLength={300}
              className="min-w-52 flex-1"
            />
            <Button type="submit" variant="primary" busy={form.busy} disabled={unverified !== null}>
              Activate Domain
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
