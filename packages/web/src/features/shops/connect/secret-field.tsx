import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Shop } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Field, PasswordInput } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { kindWords } from '../kinds.ts';

/** Takes the secret that a shop shows. What was pasted is sealed, and nobody sees it again. */
export function SecretField({ shop }: { shop: Shop }) {
  const queryClient = useQueryClient();
  const [again, setAgain] = useState(false);
  const { secretName } = kindWords[shop.kind];
  const form = useSavedForm<{ secret: string }, Shop>({
    values: { secret: '' },
    check: ({ secret }) => ({ secret: secret.trim().length < 8 && 'Paste the whole secret.' }),
    save: ({ secret }) => api.updateShop({ path: { id: shop.id }, body: { secret: secret.trim() } }),
    onSaved: async () => {
      form.reset({ secret: '' });
      setAgain(false);
      await refreshAfter(queryClient, 'shopChanged');
    },
  });
  if (shop.has_secret && !again)
    return (
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-good">
        The {secretName} is kept.
        <Button size="sm" variant="ghost" onClick={() => setAgain(true)}>
          Paste another one
        </Button>
      </p>
    );
  return (
    <form {...form.frame} className="flex flex-col gap-3">
      <FormError title="It was not kept." error={form.failure} />
      <Field label={`The ${secretName}`} error={form.error('secret')} hint="It is sealed, and never shown again.">
        {(control) => <PasswordInput {...control} {...form.register('secret')} autoComplete="off" spellCheck={false} />}
      </Field>
      <div>
        <Button type="submit" size="sm" busy={form.busy}>
          Keep it
        </Button>
      </div>
    </form>
  );
}
