import { LRUCache } from 'lru-cache';

/** Tenants that are asked for by themselves at the same time. */
const APART = 4;
/** Milliseconds for which a tenant that failed by itself spoils nobody else's look-up. */
const KEPT_APART = 5000;

interface Asked<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

interface Options<Question, Answer> {
  find: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  tenantOf: (question: Question) => string;
  /** Whether a failure may be that of some of the tenants alone. */
  isPartial: (error: unknown) => boolean;
}

/**
 * Answers questions of many tenants by one look-up. When that fails because the machine of some of them is away, each tenant is asked
 * for again by itself, once, so that the others get their answers. For a while a tenant that failed then is not asked for with others.
 * It has one look-up at a time, which those who come meanwhile wait for and then share the next.
 */
export class TenantLookup<Question, Answer> {
  readonly #options: Options<Question, Answer>;
  readonly #away = new LRUCache<string, true>({ max: 10_000, ttl: KEPT_APART, ttlAutopurge: true });
  /** Waiting questions by tenant, in the order in which they came. */
  readonly #waiting = new Map<string, Asked<Question, Answer>[]>();
  readonly #running = new Set<string>();

  constructor(options: Options<Question, Answer>) {
    this.#options = options;
  }

  /**
   * An answer for each question, in their order. Where that of a tenant may come later than those of others, a promise of it: nobody
   * waits for somebody else's machine.
   */
  async ask(questions: readonly Question[]): Promise<readonly (Answer | Promise<Answer>)[]> {
    // as nearly always
    if (this.#away.size === 0 && this.#running.size === 0) return this.#together(questions);
    const apart = questions.map((question) => (this.#isAway(question) ? this.#apart(question) : undefined));
    const others = questions.filter((_, n) => apart[n] === undefined);
    const finding = others.length > 0 ? this.#together(others) : [];
    this.#next();
    const found = await Promise.resolve(finding).catch((error) => others.map(() => refused(error)));
    const answers = found.values();
    return apart.map((answer) => answer ?? (answers.next().value as Answer));
  }

  /** Also while it is asked for alone, which may last longer than it is kept apart. */
  #isAway(question: Question): boolean {
    const tenant = this.#options.tenantOf(question);
    return this.#away.has(tenant) || this.#running.has(tenant) || this.#waiting.has(tenant);
  }

  /** @throws when all of them fail. */
  async #together(questions: readonly Question[]): Promise<readonly (Answer | Promise<Answer>)[]> {
    const { find, tenantOf, isPartial } = this.#options;
    try {
      return await find(questions);
    } catch (error) {
      if (!isPartial(error)) throw error;
      const tenants = new Set(questions.map(tenantOf));
      if (tenants.size > 1) {
        const answers = questions.map((question) => this.#apart(question));
        this.#next();
        return answers;
      }
      for (const tenant of tenants) this.#away.set(tenant, true);
      throw error;
    }
  }

  /** Waits for the turn of its tenant. */
  #apart(question: Question): Promise<Answer> {
    const answer = new Promise<Answer>((resolve, reject) => this.#wait({ question, resolve, reject }));
    // it may fail before the caller awaits it
    answer.catch(() => undefined);
    return answer;
  }

  #wait(asked: Asked<Question, Answer>): void {
    const tenant = this.#options.tenantOf(asked.question);
    const others = this.#waiting.get(tenant);
    if (others) others.push(asked);
    else this.#waiting.set(tenant, [asked]);
  }

  #next(): void {
    for (const [tenant, all] of this.#waiting) {
      if (this.#running.size >= APART) return;
      if (this.#running.has(tenant)) continue;
      this.#waiting.delete(tenant);
      void this.#alone(tenant, all);
    }
  }

  async #alone(tenant: string, all: readonly Asked<Question, Answer>[]): Promise<void> {
    this.#running.add(tenant);
    try {
      settle(all, await this.#options.find(all.map(({ question }) => question)));
      this.#away.delete(tenant);
    } catch (error) {
      if (this.#options.isPartial(error)) this.#away.set(tenant, true);
      fail(all, error);
    } finally {
      this.#running.delete(tenant);
      this.#next();
    }
  }
}

function settle<Answer>(all: readonly Asked<unknown, Answer>[], answers: readonly Answer[]): void {
  for (const [n, { resolve }] of all.entries()) resolve(answers[n] as Answer);
}

function refused(error: unknown): Promise<never> {
  const answer = Promise.reject(error);
  answer.catch(() => undefined);
  return answer;
}

function fail(all: readonly Asked<unknown, never>[], error: unknown): void {
  for (const { reject } of all) reject(error);
}
