import { useQuery } from '@tanstack/react-query';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { everyResellerQuery } from '#lib/queries/counterparts.ts';
import { DateInput, Field, Input, MoneyInput, Textarea } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { ZoneNote } from '#ui/forms/zone-note.tsx';
import { Section } from '#ui/page.tsx';
import { ProductPicker } from '#widgets/product-picker.tsx';
import { CodePreview } from './code-preview.tsx';
import { cleanPrefix, type GeneratorForm } from './generator-schema.ts';

export function GeneratorFields({ form }: { form: UseFormReturn<GeneratorForm> }) {
  const { errors } = form.formState;
  const prefix = form.watch('prefix');
  return (
    <>
      <Section title="Required Information" hint="Which product, and how many serials.">
        <Controller
          control={form.control}
          name="product"
          render={({ field }) => (
            <Field label="Product" error={errors.product?.message}>
              {(control) => (
                <ProductPicker {...control} ref={field.ref} withSerials value={field.value} onChange={field.onChange} />
              )}
            </Field>
          )}
        />
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label="Quantity" error={errors.quantity?.message} hint="Up to 1,000,000 at once.">
            {(control) => (
              <Input
                {...control}
                {...form.register('quantity')}
                inputMode="numeric"
                className="figures"
                autoComplete="off"
              />
            )}
          </Field>
          <Field
            label="Prefix"
            optional
            error={errors.prefix?.message}
            hint="Four letters or digits for the first block."
          >
            {(control) => (
              <Input
                {...control}
                {...form.register('prefix', { setValueAs: (text: string) => cleanPrefix(text) })}
                onChange={(event) =>
                  form.setValue('prefix', cleanPrefix(event.target.value), {
                    shouldDirty: true,
                    shouldValidate: form.formState.isSubmitted,
                  })
                }
                value={prefix}
                className="font-mono tracking-[0.08em] uppercase"
                autoComplete="off"
                spellCheck={false}
                maxLength={8}
              />
            )}
          </Field>
        </div>
        <CodePreview prefix={prefix} />
      </Section>
      <Section title="Promo Settings" hint="A special price, and when the promo runs.">
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 xl:grid-cols-3">
          <Field label="Promo price" optional error={errors.promo_price?.message}>
            {(control) => <MoneyInput {...control} {...form.register('promo_price')} />}
          </Field>
          <Field
            label="Promo starts"
            optional
            hint="Before this date, redemption is refused."
            error={errors.promo_start?.message}
          >
            {(control) => <DateInput {...control} {...form.register('promo_start')} />}
          </Field>
          <Field label="Promo expires" optional error={errors.promo_expires?.message}>
            {(control) => <DateInput {...control} {...form.register('promo_expires')} />}
          </Field>
        </div>
        <ZoneNote />
      </Section>
      <Section title="Expiration Settings" hint="For review copies and time-limited licenses.">
        <Field
          label="Expires At"
          optional
          hint="Serials cannot be redeemed after this date."
          error={errors.expires_at?.message}
          className="sm:max-w-64"
        >
          {(control) => <DateInput {...control} {...form.register('expires_at')} />}
        </Field>
        <ZoneNote />
      </Section>
      <Section title="Batch Info" hint="To find these serials again and record who sells them.">
        <ResellerChoice form={form} />
        <Field label="Batch tag" optional error={errors.batch_tag?.message}>
          {(control) => (
            <Input {...control} {...form.register('batch_tag')} placeholder="Such as Black Friday" autoComplete="off" />
          )}
        </Field>
        <Field label="Notes" optional error={errors.notes?.message}>
          {(control) => <Textarea {...control} {...form.register('notes')} />}
        </Field>
      </Section>
    </>
  );
}

function ResellerChoice({ form }: { form: UseFormReturn<GeneratorForm> }) {
  const { errors } = form.formState;
  const resellers = useQuery(everyResellerQuery);
  const choices = (resellers.data ?? []).filter((reseller) => reseller.status !== 'ended');
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
      <Field
        label="Reseller"
        optional
        error={errors.reseller?.message}
        hint={resellers.isError ? "Your resellers couldn't be loaded. You can still name a new one." : undefined}
      >
        {(control) => (
          <Select {...control} {...form.register('reseller')}>
            <option value="">Nobody, I sell them myself</option>
            {choices.map((reseller) => (
              <option key={reseller.id} value={reseller.id}>
                {reseller.company_name || reseller.name}
              </option>
            ))}
            <option value="new">A new reseller…</option>
          </Select>
        )}
      </Field>
      {form.watch('reseller') === 'new' ? (
        <Field label="New reseller's name" error={errors.new_reseller_name?.message}>
          {(control) => <Input {...control} {...form.register('new_reseller_name')} autoComplete="off" />}
        </Field>
      ) : null}
    </div>
  );
}
