import { createProductOn_loss } from '@tonerow/sdk/values';
import type { UseFormReturn } from 'react-hook-form';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { type ProductForm, productLabels } from './product-schema.ts';

const words: Record<ProductForm['on_loss'], string> = {
  finish: 'Finish the session',
  bypass: 'Pass sound through unchanged',
  mute: 'Mute',
};

export function OnLossField({ form }: { form: UseFormReturn<ProductForm> }) {
  return (
    <Field
      label={productLabels.on_loss}
      hint="While the plugin runs. It is locked from its next start on."
      error={form.formState.errors.on_loss?.message}
    >
      {(control) => (
        <Select {...control} {...form.register('on_loss')}>
          {createProductOn_loss.map((each) => (
            <option key={each} value={each}>
              {words[each]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
