import { Plus, X } from 'lucide-react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { sendImage } from '#lib/files/upload-image.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { HelpLink } from '#ui/buttons/help-link.tsx';
import { Field, FieldError, Input, MoneyInput, Textarea } from '#ui/forms/field.tsx';
import { UploadImage } from '#ui/forms/upload-image.tsx';
import { Section } from '#ui/page.tsx';
import { FileRows } from './files/file-rows.tsx';
import type { Uploads } from './files/use-uploads.ts';
import { OnLossField } from './on-loss-field.tsx';
import { type ProductForm, productLabels } from './product-schema.ts';

interface ProductFieldsProps {
  form: UseFormReturn<ProductForm>;
  uploads: Uploads;
  onImageBusy: (busy: boolean) => void;
}

export function ProductFields({ form, uploads, onImageBusy }: ProductFieldsProps) {
  const { errors } = form.formState;
  return (
    <>
      <Section title="Description" hint="What customers and resellers see.">
        <Field label={productLabels.name} error={errors.name?.message}>
          {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
        </Field>
        <Field label={productLabels.short_desc} optional error={errors.short_desc?.message}>
          {(control) => <Input {...control} {...form.register('short_desc')} autoComplete="off" />}
        </Field>
        <Field label={productLabels.long_desc} optional error={errors.long_desc?.message}>
          {(control) => <Textarea {...control} {...form.register('long_desc')} rows={5} className="min-h-32" />}
        </Field>
        <FeatureRows form={form} />
      </Section>
      <Section title="Image" hint="Shown to customers and resellers. 16 : 9 fits best.">
        <UploadImage
          label="Upload Image"
          value={form.watch('image_url') || null}
          onChange={(url) => form.setValue('image_url', url ?? '', { shouldDirty: true })}
          send={sendImage}
          failed="Image upload failed"
          error={errors.image_url?.message}
          onBusy={onImageBusy}
          className="aspect-[16/9] w-48"
        />
      </Section>
      <Section title="Price" hint="In US dollars. Leave empty for a plugin that is free.">
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label={productLabels.price} optional error={errors.price?.message}>
            {(control) => <MoneyInput {...control} {...form.register('price')} />}
          </Field>
          <Field label={productLabels.sale_price} optional error={errors.sale_price?.message}>
            {(control) => <MoneyInput {...control} {...form.register('sale_price')} />}
          </Field>
        </div>
      </Section>
      <Section title="Licensing" hint="How each serial of this product behaves.">
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field
            label={productLabels.max_activations}
            hint="Machines per serial."
            error={errors.max_activations?.message}
          >
            {(control) => (
              <Input {...control} {...form.register('max_activations')} inputMode="numeric" className="figures" />
            )}
          </Field>
          <Field label={productLabels.trial_days} hint="0 means no trial." error={errors.trial_days?.message}>
            {(control) => (
              <Input {...control} {...form.register('trial_days')} inputMode="numeric" className="figures" />
            )}
          </Field>
          <Field
            label={productLabels.offline_days}
            hint="How long a plugin works without checking in."
            error={errors.offline_days?.message}
          >
            {(control) => (
              <Input {...control} {...form.register('offline_days')} inputMode="numeric" className="figures" />
            )}
          </Field>
          <Field
            label={productLabels.lease_days}
            hint={
              <>
                Until a license file expires and releases its seat. <HelpLink guide="offline-machines" />
              </>
            }
            error={errors.lease_days?.message}
          >
            {(control) => (
              <Input {...control} {...form.register('lease_days')} inputMode="numeric" className="figures" />
            )}
          </Field>
          <OnLossField form={form} />
          <Field
            label={productLabels.juce_product_id}
            optional
            hint="What getProductID() returns in a stock JUCE plugin. Leave empty to use the product name."
            error={errors.juce_product_id?.message}
          >
            {(control) => (
              <Input
                {...control}
                {...form.register('juce_product_id')}
                placeholder={form.watch('name')}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
        </div>
      </Section>
      <Section title="Files / External Links" hint="What customers can download after redeeming.">
        <FileRows form={form} uploads={uploads} />
        <Field
          label={productLabels.install_help}
          optional
          hint="Shown below the files. Without it, customers see short general help for their system."
          error={errors.install_help?.message}
        >
          {(control) => <Textarea {...control} {...form.register('install_help')} rows={4} />}
        </Field>
      </Section>
    </>
  );
}

function FeatureRows({ form }: { form: UseFormReturn<ProductForm> }) {
  const rows = useFieldArray({ control: form.control, name: 'features' });
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Features</legend>
      {rows.fields.map((row, index) => {
        const error = form.formState.errors.features?.[index]?.text?.message;
        return (
          <div key={row.id} className="flex flex-col gap-1">
            <div className="flex gap-1.5">
              <Input
                {...form.register(`features.${index}.text`)}
                placeholder={`Feature #${index + 1}`}
                aria-label={`Feature #${index + 1}`}
                aria-invalid={error ? true : undefined}
                autoComplete="off"
              />
              <IconButton label={`Remove feature #${index + 1}`} className="mt-0.5" onClick={() => rows.remove(index)}>
                <X aria-hidden />
              </IconButton>
            </div>
            {error ? <FieldError>{error}</FieldError> : null}
          </div>
        );
      })}
      <Button variant="ghost" size="sm" className="-ml-2 self-start" onClick={() => rows.append({ text: '' })}>
        <Plus className="size-4" aria-hidden />
        Add feature
      </Button>
    </fieldset>
  );
}
