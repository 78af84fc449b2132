import { useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Shop } from '#lib/types.ts';
import { Field, Input, PasswordInput } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { apiWords } from './api-words.ts';

interface CredentialsDialogProps {
  shop: Shop;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * Asks for the credentials of a shop's API, which is asked for details that its reports leave out. They are tried
 * before they are kept.
 */
export function CredentialsDialog({ shop, ...dialog }: CredentialsDialogProps) {
  const queryClient = useQueryClient();
  const words = apiWords[shop.kind];
  if (!words) return null;
  const fields = Object.entries(words.fields) as [keyof typeof words.fields, string][];
  return (
    <FormDialog
      {...dialog}
      className="max-w-xl"
      title="Open the shop’s API"
      description={`${words.why} It is tried before it is kept, sealed, and never shown again.`}
      values={{ address: '', key: '', secret: '', license_key: '' }}
      check={(values) =>
        // a field that is left empty stays as it is if the API is already open
        shop.has_credentials
          ? { [fields[0]?.[0] ?? 'key']: fields.every(([name]) => !values[name].trim()) && 'Enter what has changed.' }
          : Object.fromEntries(
              fields.map(([name]) => [name, !values[name].trim() && name !== 'license_key' && 'Required.']),
            )
      }
      save={async (values) => {
        const body = Object.fromEntries(
          fields.flatMap(([name]) => (values[name].trim() ? [[name, values[name].trim()]] : [])),
        );
        const opened = await api.openShop({ path: { id: shop.id }, body });
        notify.success('The API is open.');
        refreshAfter(queryClient, 'shopChanged');
        return opened;
      }}
      action="Try and keep it"
      failed="It was not kept."
      guarded
    >
      {({ register, error }) => (
        <>
          <p className="text-sm text-muted">{words.where}</p>
          {fields.map(([name, label]) => (
            <Field key={name} label={label} optional={name === 'license_key'} error={error(name)}>
              {(control) =>
                name === 'address' ? (
                  <Input {...control} {...register(name)} autoComplete="off" spellCheck={false} maxLength={500} />
                ) : (
                  <PasswordInput
                    {...control}
                    {...register(name)}
                    autoComplete="off"
                    spellCheck={false}
                    maxLength={500}
                  />
                )
              }
            </Field>
          ))}
        </>
      )}
    </FormDialog>
  );
}
