import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { FormError } from '../../ui/states.tsx';
import { keysQuery } from './keys-query.ts';

interface CreateKeyProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSecret: (secret: string) => void;
}

const usual = 'Universal API key';

export function CreateKey({ open, onOpenChange, onSecret }: CreateKeyProps) {
  const queryClient = useQueryClient();
  const [label, setLabel] = useState(usual);
  const create = useMutation({
    mutationFn: () => api.createPluginKey({ body: { label: label.trim() || usual } }),
    onSuccess: async ({ plaintext }) => {
      onSecret(plaintext);
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
  });
  const close = (next: boolean) => {
    onOpenChange(next);
    if (next) return;
    setLabel(usual);
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
          : 'The label is only for you, to tell keys apart.'
      }
    >
      {create.data ? (
        <div className="mt-5 flex flex-col gap-5">
          <code className="rounded-md border border-line bg-sunken px-4 py-3 font-mono text-base font-medium break-all">
            {create.data.plaintext}
          </code>
          <div className="flex justify-end gap-2">
            <CopyButton text={create.data.plaintext} what="the key" className="h-9" />
            <Button variant="primary" onClick={() => close(false)}>
              Done
            </Button>
          </div>
        </div>
      ) : (
        <form
          className="mt-5 flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (!create.isPending) create.mutate();
          }}
        >
          <FormError title="Create failed." error={create.error} />
          <Field label="Label">
            {(control) => (
              <Input
                {...control}
                value={label}
                onChange={(event) => setLabel(event.target.value)}
                maxLength={100}
                autoComplete="off"
              />
            )}
          </Field>
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
