import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatChosen } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { PluginKey } from '#lib/types.ts';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
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

const endOf = (grace: number) =>
  grace
    ? `The old key works until ${formatChosen(new Date(Date.now() + grace * 1000).toISOString(), 'end')}.`
    : 'The old key no longer works.';

/** A new key replaces the old one, which keeps working for a while for builds already shipped. */
export function RotateKey({ item, ...dialog }: RotateKeyProps) {
  const queryClient = useQueryClient();
  const [ends, setEnds] = useState('');
  return (
    <FormDialog
      {...dialog}
      title={`Rotate ${item.label}`}
      description="You get a new key for your next build. Choose how long builds with the old key keep working."
      values={{ grace: 7 * day }}
      save={async ({ grace }) => {
        const rotated = await api.rotatePluginKey({ path: { id: item.id }, body: { grace_seconds: grace } });
        setEnds(endOf(grace));
        refreshAfter(queryClient, 'pluginKeysChanged');
        return rotated;
      }}
      action="Rotate key"
      failed="The key couldn't be rotated."
      after={{
        title: 'Your new key',
        description: `Ship it in your next build. ${ends}`,
        show: ({ plaintext }, close) => <NewSecret secret={plaintext} onDone={close} />,
      }}
    >
      {({ register, watch, error }) => (
        <Field
          label="The old key stops working"
          hint={
            watch('grace') ? undefined : 'Every build with the old key immediately stops activating and validating.'
          }
          error={error('grace')}
        >
          {(control) => (
            <Select {...control} {...register('grace', { valueAsNumber: true })}>
              {graces.map(([seconds, words]) => (
                <option key={seconds} value={seconds}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </FormDialog>
  );
}
