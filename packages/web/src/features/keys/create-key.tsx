import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Checkbox, Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { NewSecret } from './new-secret.tsx';

interface CreateKeyProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The default name of a key. */
  usual: string;
  onSecret: (id: string, secret: string) => void;
}

export function CreateKey({ open, onOpenChange, usual, onSecret }: CreateKeyProps) {
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const [isTest, setIsTest] = useState(false);
  const label = typed ?? usual;
  const create = useMutation({
    mutationFn: () => api.createPluginKey({ body: { label: label.trim() || usual, is_test: isTest } }),
    onSuccess: async ({ plaintext, key }) => {
      onSecret(key.id, plaintext);
      await refreshAfter(queryClient, 'pluginKeysChanged');
    },
  });
  const close = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    setTyped(null);
    setIsTest(false);
    create.reset();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={create.data ? 'Your new key' : 'Create a plugin key'}
      description={
        create.data
          ? 'Build it into your plugin. You can reveal it again later.'
          : 'The label is only for you, to distinguish your keys.'
      }
    >
      {create.data ? (
        <NewSecret secret={create.data.plaintext} onDone={() => close(false)} />
      ) : (
        <form
          className="mt-5 flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (!create.isPending) create.mutate();
          }}
        >
          <FormError title="Create failed:" error={create.error} />
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
          <Checkbox
            label="For tests"
            hint="For builds in development: only such a key opens the test serials TEST-ACTV-AAAA-AAAA, TEST-OLDT-AAAA-AAAA and TEST-WRNG-AAAA-AAAA."
            checked={isTest}
            onChange={(event) => setIsTest(event.target.checked)}
          />
          <div className="flex justify-end gap-2">
            <Button onClick={() => close(false)}>Cancel</Button>
            <Button type="submit" variant="primary" busy={create.isPending}>
              Create key
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
