import { rateLimitPolicies } from '#platform/http/limits/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Plugins in a studio share an address, and validate at every start. */
  license: { points: 6000, seconds: 60, shared: false },
  /** Licenses that do not exist: more than anybody mistypes. */
  license_guess: { points: 20, seconds: 10 * 60, shared: false },
  /** Machines that begin a trial: a plugin can be made to invent them. More than a studio or a class has new in a day. */
  license_trial: { points: 60, seconds: 24 * 60 * 60, shared: true },
  /** Plugins that ask for their owner in the browser: each is a row. */
  license_device: { points: 30, seconds: 10 * 60, shared: true },
  license_device_key: { points: 3000, seconds: 10 * 60, shared: true },
  /** Codes that are emailed to owners of licenses. */
  license_seat_code: { points: 20, seconds: 60 * 60, shared: true },
  /** Codes on the redemption page that no plugin waits with. */
  license_user_code: { points: 20, seconds: 10 * 60, shared: true },
  /** Each makes an RSA key file. */
  license_file: { points: 300, seconds: 60, shared: false },
});
