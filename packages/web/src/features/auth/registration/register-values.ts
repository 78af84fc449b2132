import { emailMistake, passwordMistake, trimmed, websiteMistake, withScheme } from '#lib/format/typed.ts';
import { browserZone } from '#lib/time/zone.ts';

const blank = {
  first_name: '',
  last_name: '',
  email: '',
  password: '',
  company_name: '',
  website_url: '',
  support_email: '',
  support_url: '',
  time_zone: browserZone,
};
export const blankDeveloper = { ...blank, brand_color: '#000000' };
export const blankReseller = { ...blank, confirm: '', business_address: '', tax_id: '' };

const mistakesOf = ({ email, password, ...typed }: typeof blank) => ({
  first_name: !typed.first_name.trim() && 'Enter your first name.',
  last_name: !typed.last_name.trim() && 'Enter your last name.',
  email: email.trim() ? emailMistake(email) : 'Enter your email address.',
  password: passwordMistake(password),
  website_url: websiteMistake(typed.website_url),
  support_email: emailMistake(typed.support_email),
  support_url: websiteMistake(typed.support_url),
});

export const developerMistakes = (typed: typeof blankDeveloper) => ({
  ...mistakesOf(typed),
  brand_color: !/^#[0-9a-f]{6}$/i.test(typed.brand_color.trim()) && 'Use six digits, such as #9a04bf.',
});

export const resellerMistakes = (typed: typeof blankReseller) => ({
  ...mistakesOf(typed),
  confirm: typed.password !== typed.confirm && 'Passwords do not match',
  company_name: !typed.company_name.trim() && 'Enter the name of your company.',
});

type Needed = 'first_name' | 'last_name' | 'email' | 'password';

/** As the server takes it: web addresses whole, and without what was left empty. */
export function filledIn<Values extends typeof blank>(values: Values) {
  const filled = Object.entries({ ...trimmed(values), password: values.password })
    .filter(([, text]) => text !== '')
    .map(([name, text]) => [name, name.endsWith('_url') ? withScheme(text) : text]);
  return Object.fromEntries(filled) as Partial<Values> & Pick<Values, Needed>;
}
