import { Plus, X } from 'lucide-react';
import { type UseFormReturn, useFieldArray } from 'react-hook-form';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, Input, MoneyInput, Textarea } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import type { ProductForm } from './product-schema.ts';

export function ProductFields({ form }: { form: UseFormReturn<ProductForm> }) {
  const { errors } = form.formState;
  return (
    <>
      <Section title="Description" hint="What customers and resellers read.">
        <Field label="Product Name" error={errors.name?.message}>
          {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
        </Field>
        <Field label="Short Description" optional error={errors.short_desc?.message}>
          {(control) => <Input {...control} {...form.register('short_desc')} autoComplete="off" />}
        </Field>
        <Field label="Long Description" optional error={errors.long_desc?.message}>
          {(control) => <Textarea {...control} {...form.register('long_desc')} rows={5} className="min-h-32" />}
        </Field>
        <FeatureRows form={form} />
      </Section>
      <Section title="Price" hint="In US dollars. Leave empty for a plugin that is free.">
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Price" optional error={errors.price?.message}>
            {(control) => <MoneyInput {...control} {...form.register('price')} />}
          </Field>
          <Field label="Sale Price" optional error={errors.sale_price?.message}>
            {(control) => <MoneyInput {...control} {...form.register('sale_price')} />}
          </Field>
        </div>
      </Section>
      <Section title="Licensing" hint="How each serial of this product behaves.">
        <div className="grid gap-5 sm:grid-cols-3">
          <Field label="Seats" hint="Machines per serial." error={errors.max_activations?.message}>
            {(control) => (
              <Input {...control} {...form.register('max_activations')} inputMode="numeric" className="figures" />
            )}
          </Field>
          <Field label="Offline days" hint="Until a plugin must check in." error={errors.offline_days?.message}>
            {(control) => (
              <Input {...control} {...form.register('offline_days')} inputMode="numeric" className="figures" />
            )}
          </Field>
          <Field label="Trial days" hint="0 means no trial." error={errors.trial_days?.message}>
            {(control) => (
              <Input {...control} {...form.register('trial_days')} inputMode="numeric" className="figures" />
            )}
          </Field>
        </div>
      </Section>
      <Section title="Files / External Links" hint="What customers can download after redeeming.">
        <FileRows form={form} />
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
            {error ? <p className="text-sm text-bad">{error}</p> : null}
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

function FileRows({ form }: { form: UseFormReturn<ProductForm> }) {
  const rows = useFieldArray({ control: form.control, name: 'files' });
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Files / External Links</legend>
      {rows.fields.length === 0 ? (
        <p className="text-muted">No links yet. Point each one to an installer, a manual or a sample pack.</p>
      ) : null}
      {rows.fields.map((row, index) => {
        const errors = form.formState.errors.files?.[index];
        return (
          <div key={row.id} className="flex items-start gap-1.5">
            <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
              <Input
                {...form.register(`files.${index}.name`)}
                placeholder="Label, such as Installer (macOS)"
                aria-label={`Label of link ${index + 1}`}
                autoComplete="off"
              />
              <div className="flex flex-col gap-1">
                <Input
                  {...form.register(`files.${index}.url`)}
                  placeholder="External URL"
                  aria-label={`External URL of link ${index + 1}`}
                  aria-invalid={errors?.url ? true : undefined}
                  inputMode="url"
                  autoComplete="off"
                  spellCheck={false}
                />
                {errors?.url ? <p className="text-sm text-bad">{errors.url.message}</p> : null}
                {errors?.name ? <p className="text-sm text-bad">{errors.name.message}</p> : null}
              </div>
            </div>
            <IconButton label={`Remove link ${index + 1}`} className="mt-0.5" onClick={() => rows.remove(index)}>
              <X aria-hidden />
            </IconButton>
          </div>
        );
      })}
      <Button size="sm" className="self-start" onClick={() => rows.append({ name: '', url: '' })}>
        <Plus className="size-4" aria-hidden />
        Add link
      </Button>
    </fieldset>
  );
}
