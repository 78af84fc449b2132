import type { PluginKey } from '#lib/types.ts';
import { Field, Input } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { useUpdateKey } from './use-update-key.ts';

interface RenameKeyProps {
  item: PluginKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RenameKey({ item, ...dialog }: RenameKeyProps) {
  const update = useUpdateKey(item);
  const rename = async (label: string) => {
    const before = item.label;
    await update.mutateAsync({ label });
    notify.success('Key renamed.', {
      undo: () =>
        update.mutate(
          { label: before },
          { onError: (error) => notify.failed("The key couldn't be renamed back", error) },
        ),
    });
  };
  return (
    <FormDialog
      {...dialog}
      title="Rename this key"
      description="The key itself does not change."
      values={{ label: item.label }}
      save={({ label }) => rename(label.trim())}
      ready={({ label }) => label.trim() !== ''}
      action="Rename"
      failed="The key couldn't be renamed."
    >
      {({ register, error }) => (
        <Field label="Label" error={error('label')}>
          {(control) => <Input {...control} {...register('label')} maxLength={100} autoComplete="off" />}
        </Field>
      )}
    </FormDialog>
  );
}
