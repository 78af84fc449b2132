import { z } from 'zod/mini';
import { passwordRule } from './password-rule.ts';

const required = (message: string) => z.string().check(z.trim(), z.minLength(1, message));
const website = z.string().check(
  z.trim(),
  z.refine(
    (text) => text === '' || URL.canParse(withScheme(text)),
    'Enter a web address, such as https://example.com.',
  ),
);

const person = {
  first_name: required('Enter your first name.'),
  last_name: required('Enter your last name.'),
  email: z.string().check(
    z.trim(),
    z.minLength(1, 'Enter your email address.'),
    z.refine(
      (text) => text === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
      "This doesn't look like an email address.",
    ),
  ),
  password: z
    .string()
    .check(
      z.refine((text) => passwordRule(text) === true, { error: (issue) => String(passwordRule(String(issue.input))) }),
    ),
  website_url: website,
  support_email: z.string().check(
    z.trim(),
    z.refine(
      (text) => text === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
      "This doesn't look like an email address.",
    ),
  ),
  support_url: website,
  time_zone: z.string(),
};

export const developerSchema = z.object({
  ...person,
  company_name: z.string().check(z.trim()),
  brand_color: z.string().check(z.trim(), z.regex(/^#[0-9a-fA-F]{6}$/, 'Use six digits, such as #9a04bf.')),
});

export const resellerSchema = z
  .object({
    ...person,
    confirm: z.string(),
    company_name: required('Enter the name of your company.'),
    business_address: z.string().check(z.trim()),
    tax_id: z.string().check(z.trim()),
  })
  .check(z.refine((form) => form.password === form.confirm, { error: 'Passwords do not match', path: ['confirm'] }));

export type DeveloperForm = z.infer<typeof developerSchema>;
export type ResellerForm = z.infer<typeof resellerSchema>;

export function withScheme(text: string): string {
  return /^https?:\/\//i.test(text) ? text : `https://${text}`;
}

/** Leaves out what was left empty, and completes web addresses. */
export function filledIn<T extends Record<string, string>>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== '')
      .map(([key, value]) => [key, key.endsWith('_url') ? withScheme(value) : value]),
  ) as Partial<T>;
}
