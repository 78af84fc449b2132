import { type FormEvent, useState } from 'react';
import type { PluginKey } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useUpdateKey } from './use-update-key.ts';

interface RenameKeyProps {
  item: PluginKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RenameKey({ item, open, onOpenChange }: RenameKeyProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const label = typed ?? item.label;
  const update = useUpdateKey(item);
  const close = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    setTyped(null);
    update.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (update.isPending || !label.trim()) return;
    const before = item.label;
    update.mutate(
      { label: label.trim() },
      {
        onSuccess: () => {
          notify.success('Key renamed.', {
            undo: () =>
              update.mutate(
                { label: before },
                { onError: (error) => notify.failed("The key couldn't be renamed back", error) },
              ),
          });
          close(false);
        },
      },
    );
  };
  return (
    <Dialog open={open} onOpenChange={close} title="Rename this key" description="The key itself does not change.">
      <form className="mt-5 flex flex-col gap-5" onSubmit={submit}>
        <FormError title="The key couldn't be renamed." error={update.error} />
        <Field label="Label">
          {(control) => (
            <Input
              {...control}
              value={label}
              onChange={(event) => setTyped(event.target.value)}
              maxLength={100}
              autoComplete="off"
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={update.isPending} disabled={!label.trim()}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
