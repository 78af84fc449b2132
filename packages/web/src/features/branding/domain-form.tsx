import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TonerowError } from '@tonerow/sdk';
import { type FormEvent, useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { useUnverified, VerifyFirst } from '#widgets/verify-first.tsx';
import { hostIn, isBare, isHost } from './domain.ts';

export function DomainForm() {
  const queryClient = useQueryClient();
  const unverified = useUnverified();
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<string>();
  const register = useMutation({
    mutationFn: (domain: string) => api.setCustomDomain({ body: { domain } }),
    onSuccess: async ({ verified, message }) => {
      if (verified) notify.success(message);
      else notify.error(message);
      await refreshAfter(queryClient, 'domainChanged');
    },
    onError: (error) => {
      const atField = error instanceof TonerowError ? error.errors?.[0]?.message : undefined;
      setRefused(atField ?? describeError(error).message);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (register.isPending) return;
    const host = hostIn(text);
    setText(host);
    if (!isHost(host)) return setRefused('Invalid domain format.');
    setRefused(undefined);
    register.mutate(host);
  };
  const bare = isHost(hostIn(text)) && isBare(hostIn(text));
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <VerifyFirst />
      <Field
        label="Domain"
        error={refused}
        hint={bare ? `Most providers don't allow a CNAME without a subdomain. Try app.${hostIn(text)}.` : undefined}
      >
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <Input
              {...control}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setRefused(undefined);
              }}
              placeholder="app.yourcompany.com"
              inputMode="url"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              maxLength={300}
              className="min-w-52 flex-1"
            />
            <Button type="submit" variant="primary" busy={register.isPending} disabled={unverified !== null}>
              Activate Domain
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
