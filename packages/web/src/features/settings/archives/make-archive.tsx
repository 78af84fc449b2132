import { useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { Field, PasswordInput } from '#ui/forms/field.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { PasswordField } from '../password-field.tsx';

const LEAST = 12;

interface MakeArchiveProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for the passphrase twice: nobody can look it up later. */
export function MakeArchive(dialog: MakeArchiveProps) {
  const queryClient = useQueryClient();
  return (
    <FormDialog
      {...dialog}
      title="Make an archive of everything"
      description="It is made in the background and kept for seven days."
      values={{ passphrase: '', again: '', password: '' }}
      check={({ passphrase, again, password }) => ({
        passphrase: [...passphrase].length < LEAST && `Use at least ${LEAST} characters.`,
        again: passphrase !== again && 'This is not the same passphrase.',
        password: password === '' && 'Enter your password.',
      })}
      save={async ({ passphrase, password }) => {
        await api.createAccountArchive({ body: { passphrase, password } });
        await refreshAfter(queryClient, 'archivesChanged');
      }}
      action="Make the archive"
      failed="The archive was not begun."
    >
      {(form) => (
        <>
          <Field
            label="Passphrase"
            hint="Seals the signing keys and other secrets in the archive. Keep it with the file: we don't keep it, and without it the account can't be restored."
            error={form.error('passphrase')}
          >
            {(control) => (
              <PasswordInput
                {...control}
                {...form.register('passphrase')}
                autoComplete="new-password"
                maxLength={1024}
              />
            )}
          </Field>
          <Field label="The passphrase again" error={form.error('again')}>
            {(control) => (
              <PasswordInput {...control} {...form.register('again')} autoComplete="new-password" maxLength={1024} />
            )}
          </Field>
          <PasswordField form={form} />
        </>
      )}
    </FormDialog>
  );
}
