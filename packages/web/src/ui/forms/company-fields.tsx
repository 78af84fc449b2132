import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field, Input } from './field.tsx';

type CompanyField = 'website_url' | 'support_email' | 'support_url';

/** A form that has these fields, with whatever others. */
interface CompanyForm<Name extends CompanyField> {
  register(name: Name): UseFormRegisterReturn;
  error(name: Name): string | undefined;
}

/** The field for a company's website. */
export function WebsiteField({ form }: { form: CompanyForm<'website_url'> }) {
  return (
    <Field label="Website" optional error={form.error('website_url')}>
      {(control) => (
        <Input
          {...control}
          {...form.register('website_url')}
          inputMode="url"
          placeholder="https://"
          autoComplete="url"
          spellCheck={false}
        />
      )}
    </Field>
  );
}

/** Fields for where a company's customers find help. */
export function SupportFields({ form }: { form: CompanyForm<'support_email' | 'support_url'> }) {
  return (
    <>
      <Field label="Support email" optional error={form.error('support_email')}>
        {(control) => (
          <Input {...control} {...form.register('support_email')} type="email" autoComplete="off" spellCheck={false} />
        )}
      </Field>
      <Field label="Support URL" optional error={form.error('support_url')}>
        {(control) => (
          <Input
            {...control}
            {...form.register('support_url')}
            inputMode="url"
            placeholder="https://"
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
    </>
  );
}
