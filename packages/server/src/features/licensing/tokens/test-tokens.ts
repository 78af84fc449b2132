import { type Clock, HOUR } from '#platform/clock.ts';
import type { Random } from '#platform/random.ts';
import { isOwnProduct } from '../own-product.ts';
import type { LicenseAnswer } from '../rules/license-status.ts';
import { answerTestSerial, type TestToken, testTokenOf } from '../rules/test-serials.ts';
import type { LicensingDb } from '../tables.ts';
import type { TokenIssuer } from './license-token.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  tokens: TokenIssuer;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The caller that sent a test serial, and its plugin key's rights. */
interface Question {
  developerId: string;
  machineId: string;
  productId: string | null;
}

/**
 * Tokens with the developer’s own signature that no plugin may unlock by, so that its developer sees it refuse them.
 */
export class TestTokens {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * The answer to activating or validating a test serial; null for any other serial.
   * @throws {LicenseRefusal} the status that the test serial represents
   */
  answer(
    caller: { developerId: string; isTest: boolean },
    code: string,
    { machine_id: machineId, product_id: productId }: { machine_id: string; product_id: string | null },
  ): Promise<LicenseAnswer> | null {
    const test = answerTestSerial(code, caller);
    if (test === null) return null;
    const kind = testTokenOf(code);
    const { developerId } = caller;
    return kind === null ? Promise.resolve(test) : this.#withToken(test, kind, { developerId, machineId, productId });
  }

  async #withToken(answer: LicenseAnswer, kind: TestToken, question: Question): Promise<LicenseAnswer> {
    return { ...answer, validation_token: await this.#issue(kind, question) };
  }

  async #issue(kind: TestToken, { developerId, machineId, productId }: Question): Promise<string> {
    const { clock, random, tokens } = this.#deps;
    // a freshly generated id belongs to nobody
    const serial = random.id();
    const isOwn = kind === 'ended' && productId !== null && (await this.#isOwn(developerId, productId));
    const subject = { developerId, id: serial, productId: isOwn ? productId.toLowerCase() : random.id(), machineId };
    const at = (hours: number) => new Date(clock.now().getTime() + hours * HOUR);
    // ended for longer than any clock may be wrong by
    return kind === 'ended' ? tokens.issueFor(subject, at(-2), at(-1)) : tokens.issueFor(subject, at(0), at(1));
  }

  async #isOwn(developerId: string, productId: string): Promise<boolean> {
    // a plugin's name for its product may be any text
    return UUID.test(productId) && isOwnProduct(this.#deps.db, developerId, productId);
  }
}
