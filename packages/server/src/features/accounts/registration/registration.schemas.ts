import { z } from 'zod';
import { optionalLine, optionalText } from '#platform/http/input/optional-text.ts';
import { isWebAddress, NO_WEB_ADDRESS } from '#platform/network/web-address.ts';
import { Email, OptionalEmail } from '#platform/text/email-address.ts';
import { NewPassword } from '../passwords/password-fields.ts';
import { line, TimeZone } from '../settings/profile-fields.ts';

const webAddress = optionalText(500).refine((value) => value === null || isWebAddress(value), NO_WEB_ADDRESS);

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
