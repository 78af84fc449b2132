import { expect, it } from 'vitest';
import { withWhat } from './audit-words.ts';

it.each([
  ['signed_in', null, null, '192.0.2.1', 'Password'],
  ['password_reset', null, null, '192.0.2.1', 'Emailed link'],
  ['password_changed', 'session', null, '192.0.2.1', 'Session'],
  ['serials_exported', 'access_token', 'Nightly CI', '192.0.2.1', 'Access token Nightly CI'],
  ['serials_exported', 'access_token', null, '192.0.2.1', 'Access token'],
  ['plan_changed', null, null, null, 'Automatic'],
  ['serial_revoked', null, null, '192.0.2.1', 'Somebody else’s sign-in'],
] as const)('%s via %s (%s) from %s was done with: %5$s', (action, via, token_name, ip, words) => {
  expect(withWhat({ action, via, token_name, ip })).toBe(words);
});
