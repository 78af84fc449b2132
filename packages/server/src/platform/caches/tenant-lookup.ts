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
  readonly #away = new LRUCache<string, true>({ max: 10_000, ttl: KEPT_APART });
  /** By tenant, in the order in which they came. */
  readonly #waiting = new Map<string, Asked<Question, Answer>[]>();
  readonly #running = new Set<string>();

  constructor(options: Options<Question, Answer>) {
    this.#options = options;
  }

  /** Of each question, its own answer: one may be there long before another one. */
  ask(questions: readonly Question[]): Promise<Answer>[] {
    const together: Asked<Question, Answer>[] = [];
    const answers = questions.map(
      (question) =>
        new Promise<Answer>((resolve, reject) => {
          const asked = { question, resolve, reject };
          if (this.#isAway(asked)) this.#wait(asked);
          else together.push(asked);
        }),
    );
    if (together.length > 0) void this.#together(together);
    this.#next();
    return answers;
  }

  #isAway({ question }: Asked<Question, Answer>): boolean {
    return this.#away.size > 0 && this.#away.has(this.#options.tenantOf(question));
  }

  async #together(all: readonly Asked<Question, Answer>[]): Promise<void> {
    const { find, tenantOf, isPartial } = this.#options;
    try {
      settle(all, await find(all.map(({ question }) => question)));
    } catch (error) {
      const tenants = new Set(all.map(({ question }) => tenantOf(question)));
      if (!isPartial(error)) return fail(all, error);
      if (tenants.size > 1) {
        for (const asked of all) this.#wait(asked);
        return this.#next();
      }
      for (const tenant of tenants) this.#away.set(tenant, true);
      fail(all, error);
    }
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

function fail(all: readonly Asked<unknown, never>[], error: unknown): void {
  for (const { reject } of all) reject(error);
}
