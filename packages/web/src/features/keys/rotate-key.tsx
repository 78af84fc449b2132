import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatChosen } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import type { PluginKey } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FormError } from '#ui/states.tsx';
import { NewSecret } from './new-secret.tsx';

const day = 86_400;
const graces: [number, string][] = [
  [0, 'Now'],
  [day, 'In 1 day'],
  [7 * day, 'In 7 days'],
  [30 * day, 'In 30 days'],
];

interface RotateKeyProps {
  item: PluginKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A new key replaces the old one, which keeps working for a while for builds already shipped. */
export function RotateKey({ item, open, onOpenChange }: RotateKeyProps) {
  const queryClient = useQueryClient();
  const [grace, setGrace] = useState(7 * day);
  const rotate = useMutation({
    mutationFn: () => api.rotatePluginKey({ path: { id: item.id }, body: { grace_seconds: grace } }),
    onSuccess: () => refreshAfter(queryClient, 'pluginKeysChanged'),
  });
  const close = (next: boolean) => {
    // the answer has what is shown only now
    if (rotate.isPending) return;
    onOpenChange(next);
    if (!next) rotate.reset();
  };
  const ends = grace
    ? `The old key works until ${formatChosen(new Date((rotate.submittedAt || Date.now()) + grace * 1000).toISOString(), 'end')}.`
    : 'The old key no longer works.';
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={rotate.data ? 'Your new key' : `Rotate ${item.label}`}
      description={
        rotate.data
          ? `Ship it in your next build. ${ends}`
          : 'You get a new key for your next build. Choose how long builds with the old key keep working.'
      }
    >
      {rotate.data ? (
        <NewSecret secret={rotate.data.plaintext} onDone={() => close(false)} />
      ) : (
        <form
          className="mt-5 flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (!rotate.isPending) rotate.mutate();
          }}
        >
          <FormError title="The key couldn't be rotated." error={rotate.error} />
          <Field
            label="The old key stops working"
            hint={grace ? undefined : 'Every build with the old key immediately stops activating and validating.'}
          >
            {(control) => (
              <Select {...control} value={grace} onChange={(event) => setGrace(Number(event.target.value))}>
                {graces.map(([seconds, words]) => (
                  <option key={seconds} value={seconds}>
                    {words}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <div className="flex justify-end gap-2">
            <Button disabled={rotate.isPending} onClick={() => close(false)}>
              Cancel
            </Button>
            <Button type="submit" variant="primary" busy={rotate.isPending}>
              Rotate key
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
