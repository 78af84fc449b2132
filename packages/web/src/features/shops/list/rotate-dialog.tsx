import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { useAttempt } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Shop } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Field, PasswordInput } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { kindWords } from '../kinds.ts';

const overlaps = [1, 24, 72, 168];

interface RotateDialogProps {
  shop: Shop;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A new secret is accepted beside the old one for a while, so that nothing is refused in between. */
export function RotateDialog({ shop, ...dialog }: RotateDialogProps) {
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const [hours, setHours] = useState(24);
  const { secret: secretOwner, secretName, name } = kindWords[shop.kind];
  const pasted = secretOwner === 'theirs';
  return (
    <FormDialog
      {...dialog}
      className="max-w-xl"
      title="Rotate the secret"
      description={
        pasted
          ? `Make a new ${secretName} in ${name} and paste it here. Until the old one ends, both are accepted.`
          : 'We make a new one. Until the old one ends, both are accepted, so that nothing is refused while you paste it.'
      }
      values={{ overlap_hours: 24, secret: '' }}
      check={({ secret }) => ({ secret: pasted && secret.trim().length < 8 && 'Paste the whole secret.' })}
      save={async ({ overlap_hours, secret }) => {
        const body = { overlap_hours, ...(pasted ? { secret: secret.trim() } : {}) };
        const rotated = await attempt(body, (idempotencyKey) =>
          api.rotateShopSecret({ path: { id: shop.id }, body }, { idempotencyKey }),
        );
        setHours(overlap_hours);
        refreshAfter(queryClient, 'shopChanged');
        return rotated;
      }}
      action="Rotate"
      failed="The secret couldn't be rotated."
      after={{
        title: pasted ? 'The new secret is kept' : 'The new secret',
        description: shop.has_secret
          ? `Both are accepted for ${plural(hours, 'hour')}.${pasted ? '' : ' Paste the new one into the shop by then.'}`
          : 'From now on, what is signed with it is accepted.',
        once: ({ secret }) => Boolean(secret),
        show: ({ secret }, close) => (
          <div className="mt-5 flex min-w-0 flex-col gap-5">
            {secret ? (
              <div>
                <p className="mb-1.5 text-sm text-muted">Copy it now: it is never shown again.</p>
                <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-2 pr-2 pl-4">
                  <code className="min-w-0 flex-1 font-mono text-sm font-medium break-all">{secret}</code>
                  <CopyButton compact text={secret} what="the secret" />
                </div>
              </div>
            ) : null}
            <div className="flex justify-end">
              <Button variant="primary" onClick={close}>
                Done
              </Button>
            </div>
          </div>
        ),
      }}
    >
      {({ register, error }) => (
        <>
          {pasted ? (
            <Field label={`The new ${secretName}`} error={error('secret')} hint="It is sealed, and never shown again.">
              {(control) => (
                <PasswordInput {...control} {...register('secret')} autoComplete="off" spellCheck={false} />
              )}
            </Field>
          ) : null}
          <Field label="The old secret ends" error={error('overlap_hours')}>
            {(control) => (
              <Select {...control} {...register('overlap_hours', { valueAsNumber: true })}>
                {overlaps.map((each) => (
                  <option key={each} value={each}>
                    In {each < 48 ? plural(each, 'hour') : plural(each / 24, 'day')}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
