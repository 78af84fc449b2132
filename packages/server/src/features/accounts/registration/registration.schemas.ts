import { z } from 'zod';
import { oneLine } from '#platform/http/input/control-characters.ts';
import { Email, OptionalEmail } from '#platform/text/email-address.ts';
import { NewPassword } from '../passwords/password-fields.ts';
import { isWebAddress, line, TimeZone } from '../settings/profile-fields.ts';

const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value || null);
const optionalLine = (max: number) =>
  oneLine()
    .max(max)
    .nullish()
    .transform((value) => value || null);
const webAddress = z
  .string()
  .trim()
  .max(500)
  .nullish()
  .transform((value) => value || null)
  .refine((value) => value === null || isWebAddress(value), 'Enter a web address such as https://example.com.');

const person = {
  first_name: line(100),
  last_name: line(100),
  email: Email,
  password: NewPassword,
  time_zone: TimeZone.optional(),
};

export const RegisterDeveloperBody = z
  .strictObject({
    ...person,
    company_name: optionalLine(200),
    website_url: webAddress,
    support_email: OptionalEmail.optional(),
    support_url: webAddress,
    brand_color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'Use a color such as #9a04bf.')
      .default('#000000'),
  })
  .meta({ id: 'RegisterDeveloper' });

export const RegisterResellerBody = z
  .strictObject({
    ...person,
    company_name: line(200),
    website_url: webAddress,
    support_email: OptionalEmail.optional(),
    support_url: webAddress,
    business_address: optionalText(500),
    tax_id: optionalLine(100),
  })
  .meta({ id: 'RegisterReseller' });
