import { AppError } from '#platform/errors.ts';
import type { RateLimitPolicy, RateLimits } from '#platform/http/limits/rate-limits.ts';
import { addressOf } from '#platform/network/addresses.ts';
import { limits as policies } from '../limits.ts';
import type { KnownPlaces, Place } from './known-places.ts';

type Counter = [RateLimitPolicy, string];

/** A sign-in that was let through to the password. */
interface Attempt {
  /** The password was right: the attempt does not count as a failed one, but as one that may open a session. */
  passwordWasRight(accountId: string): Promise<void>;
  /**
   * Counts a guess at the second factor, apart from those at the password: knowing that must not buy more of these.
   * @returns what takes the guess back when it was right.
   */
  guessCode(accountId: string): Promise<() => Promise<void>>;
}

/**
 * Limits failed sign-ins so that a password can be guessed only so often, however many addresses the guesser has,
 * without letting anyone lock the owner out by guessing: a device that has signed in before has a counter of its own,
 * and an address that has signed in before is counted separately from the account.
 */
export class SignInLimits {
  readonly #limits: RateLimits;

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /**
   * Counts an attempt before the password is checked, so that concurrent attempts are counted too.
   * @param known how the account knows the place.
   * @throws {AppError} rate_limited, with the same message whether the account exists or not.
   */
  async begin(emailKey: string, known: Awaited<ReturnType<KnownPlaces['recognize']>>, place: Place): Promise<Attempt> {
    const address = addressOf(place.ip);
    const subject = {
      device: `device ${place.deviceToken} ${emailKey}`,
      address: `address ${address} ${emailKey}`,
      stranger: `account ${emailKey}`,
    }[known];
    const counters: Record<typeof known, Counter[]> = {
      device: [[policies.login_device, subject]],
      address: [[policies.login, address]],
      stranger: [
        [policies.login, address],
        [policies.login_account, emailKey],
      ],
    };
    const back = await this.#take([...counters[known], [policies.login_day, subject]]);
    return {
      passwordWasRight: async (accountId) => {
        await back();
        await this.#limits.take(policies.sign_ins, `${accountId} ${subject}`);
      },
      guessCode: (accountId) =>
        this.#take([
          [policies.login_account, `code ${accountId} ${subject}`],
          [policies.login_day, `code ${accountId} ${subject}`],
        ]),
    };
  }

  async #take(counters: Counter[]): Promise<() => Promise<void>> {
    for (const [policy, subject] of counters) {
      await this.#limits.take(policy, subject).catch((error) => {
        throw explained(error);
      });
    }
    return async () => {
      for (const [policy, subject] of counters) await this.#limits.giveBack(policy, subject);
    };
  }
}

/** Mentions the way out, which no stranger can block: the link in the email makes its reader's device a known one. */
function explained(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'rate_limited') return error;
  const { retryAfter = 0, headers } = error;
  const wait = retryAfter < 120 ? `${retryAfter} seconds` : `${Math.ceil(retryAfter / 60)} minutes`;
  const message = `Too many failed sign-ins. Try again in ${wait}, or choose a new password by email to sign in at once.`;
  return new AppError('rate_limited', message, { retryAfter, headers });
}
