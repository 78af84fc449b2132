import type { UseFormReturn } from 'react-hook-form';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { type ProductForm, productLabels } from './product-schema.ts';

export function OnLossField({ form }: { form: UseFormReturn<ProductForm> }) {
  return (
    <Field
      label={productLabels.on_loss}
      hint="While the plugin runs. It is locked from its next start on."
      error={form.formState.errors.on_loss?.message}
    >
      {(control) => (
        <Select {...control} {...form.register('on_loss')}>
          <option value="finish">Finish the session</option>
          <option value="bypass">Pass sound through unchanged</option>
          <option value="mute">Mute</option>
        </Select>
      )}
    </Field>
  );
}
