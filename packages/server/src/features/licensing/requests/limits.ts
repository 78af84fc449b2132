import { rateLimitPolicies } from '../../../platform/http/rate-limits.ts';

export const limits = rateLimitPolicies({
  /** Plugins in a studio share an address, and validate at every start. */
  license: { points: 6000, seconds: 60, shared: false },
  /** Licenses that do not exist: more than anybody mistypes. */
  license_guess: { points: 20, seconds: 10 * 60, shared: false },
  /** Each makes an RSA key file. */
  license_file: { points: 300, seconds: 60, shared: false },
});
