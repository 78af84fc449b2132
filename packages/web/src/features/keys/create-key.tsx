import { useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { Checkbox, Field, Input } from '#ui/forms/field.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { NewSecret } from './new-secret.tsx';

interface CreateKeyProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The default name of a key. */
  usual: string;
  onSecret: (id: string, secret: string) => void;
}

export function CreateKey({ usual, onSecret, ...dialog }: CreateKeyProps) {
  const queryClient = useQueryClient();
  return (
    <FormDialog
      {...dialog}
      title="Create a plugin key"
      description="The label is only for you, to distinguish your keys."
      values={{ label: usual, is_test: false }}
      save={async ({ label, is_test }) => {
        const made = await api.createPluginKey({ body: { label: label.trim() || usual, is_test } });
        onSecret(made.key.id, made.plaintext);
        refreshAfter(queryClient, 'pluginKeysChanged');
        return made;
      }}
      action="Create key"
      failed="Create failed:"
      after={{
        title: 'Your new key',
        description: 'Build it into your plugin. You can reveal it again later.',
        show: ({ plaintext }, close) => <NewSecret secret={plaintext} onDone={close} />,
      }}
    >
      {({ register, error }) => (
        <>
          <Field label="Label" error={error('label')}>
            {(control) => <Input {...control} {...register('label')} maxLength={100} autoComplete="off" />}
          </Field>
          <Checkbox
            {...register('is_test')}
            label="For tests"
            hint="For builds in development: only such a key opens the test serials TEST-ACTV-AAAA-AAAA, TEST-OLDT-AAAA-AAAA and TEST-WRNG-AAAA-AAAA."
          />
        </>
      )}
    </FormDialog>
  );
}
