import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Failed sign-ins from an address. */
  login: { points: 30, seconds: 15 * 60, shared: true },
  /** Failed sign-ins to an account from places that never signed in to it, all together; and guesses within a session. */
  login_account: { points: 10, seconds: 15 * 60, shared: true },
  /** Failed sign-ins from a device that signed in to the account before. */
  login_device: { points: 10, seconds: 15 * 60, shared: true },
  /** The same three, over a day. */
  login_day: { points: 100, seconds: 24 * 60 * 60, shared: true },
  /** Sign-ins with the right password, from one place. */
  sign_ins: { points: 60, seconds: 15 * 60, shared: true },
  /** Terminals that start to sign in with a code, from an address. */
  device_sign_ins: { points: 20, seconds: 10 * 60, shared: true },
  /** Codes of terminals that an account looked for in vain. */
  user_codes: { points: 10, seconds: 15 * 60, shared: true },
  register: { points: 20, seconds: 60 * 60, shared: true },
  password_reset: { points: 10, seconds: 60 * 60, shared: true },
  verify_email: { points: 30, seconds: 60 * 60, shared: true },
  /** Identity tokens of CI jobs, from an address: jobs share the addresses of their service. */
  exchange: { points: 300, seconds: 60, shared: true },
  /** Emails of each kind that anybody can have sent to an account. */
  account_email: { points: 3, seconds: 60 * 60, shared: true },
});
