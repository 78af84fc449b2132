import { addressMark, type Customers, DownloadProofs, type Emailed } from '#features/customers';
import { findInText } from '#features/serials';
import { type Clock, DAY, MINUTE } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { keyedByName } from '#platform/keyed-by-name.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import type { ProductCards } from '../downloads/product-cards.ts';
import { stillProven } from '../downloads/proven.ts';
import { limits as policies } from '../limits.ts';
import type { RedemptionDb } from '../tables.ts';
import { findMachines, findOwned, findOwnedSerial, findOwner } from './my-products.queries.ts';
import type { MyMachine, MyProductsView } from './my-products.schemas.ts';

const LINK_LIFETIME = 30 * MINUTE;
/**
 * The most links for one address at one developer in a day. The last one works for a day, so that a refused customer
 * has one that works.
 */
const MOST_LINKS = 10;
const MOST_SERIALS = 100;

/** Port: the email with the link, queued in the caller's transaction. */
export interface MyProductsEmails {
  myProducts(
    sql: Sql,
    developerId: string,
    to: { email: string; language: Language | null; came: boolean },
    link: { token: string; lasts: 'minutes' | 'a day' },
  ): Promise<void>;
  /** How many of them an address was sent since a moment. */
  myProductsSince(sql: Sql, developerId: string, email: string, since: Date): Promise<number>;
}

interface Wish {
  developerId: string;
  email: string;
  /** The language of the page that asked; absent, the one of the customer’s last redemption. */
  language?: Language | undefined;
}

export const myProductsJob = jobKind<Wish>({
  name: 'my-products',
  retryLimit: 5,
  retryDelay: 5,
  expireInSeconds: 60,
  deleteAfterSeconds: 3600,
  isEmail: true,
});

interface Dependencies {
  db: RedemptionDb;
  clock: Clock;
  secrets: Secrets;
  limits: RateLimits;
  jobs: Jobs;
  cards: ProductCards;
  customers: Pick<Customers, 'followed'>;
  emails: MyProductsEmails;
  /** Whose page a request is for, by its Host header. */
  developerOf(host: string): Promise<string | null>;
}

/**
 * Everything that an address owns at one developer, for anyone who reads its email: a way to recover lost serials.
 */
export class MyProducts {
  readonly #deps: Dependencies;
  readonly #links: TokenMint<Emailed>;
  /** The same tokens that a redemption gives. */
  readonly #downloads: DownloadProofs;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#links = new TokenMint(deps.secrets, 'my-products', deps.clock);
    this.#downloads = new DownloadProofs(deps);
  }

  /**
   * Records the request and looks nothing up: a job finds out whether the address is known, so that neither the
   * response nor its timing reveals it.
   */
  async request(
    form: { email: string; dev?: string | undefined; language?: Language | undefined },
    host: string,
  ): Promise<void> {
    const { db, limits, jobs, developerOf } = this.#deps;
    const developerId = form.dev ?? (await developerOf(host));
    if (!developerId) throw invalidField('dev', 'Open the page of the plugin’s maker. The link is in your order.');
    await limits.take(policies.my_products_account, `${developerId} ${emailKey(form.email)}`);
    await jobs.enqueue(db, myProductsJob, {
      developerId,
      email: emailKey(form.email),
      ...(form.language ? { language: form.language } : {}),
    });
  }

  /**
   * The job: emails the address as it was given at redemption, and only if it owns a serial. Anybody can ask for it, so an address gets
   * ten a day. The last one states that its link works until another can be sent.
   */
  async sendLink(wish: Wish): Promise<void> {
    const { db, clock, emails } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const owner = await findOwner(tx, wish.developerId, wish.email);
      if (!owner) return;
      const since = new Date(clock.now().getTime() - DAY);
      const sent = await emails.myProductsSince(tx, wish.developerId, owner.email, since);
      if (sent >= MOST_LINKS) return;
      const isLast = sent === MOST_LINKS - 1;
      const person = { dev: wish.developerId, customer: owner.id, to: addressMark(owner.email) };
      const token = this.#links.sign(person, isLast ? DAY : LINK_LIFETIME);
      const to = { email: owner.email, language: wish.language ?? owner.language, came: owner.came };
      await emails.myProducts(tx, wish.developerId, to, { token, lasts: isLast ? 'a day' : 'minutes' });
    });
  }

  /** @throws {AppError} link_invalid */
  async open(token: string): Promise<MyProductsView> {
    const { db, cards, customers } = this.#deps;
    const person = this.#claims(token);
    const owned = await findOwned(db, person, MOST_SERIALS);
    if (!owned[0] || !(await customers.followed(db, person, 'opens all'))) throw tooOld();
    const ids = owned.map((serial) => serial.id);
    const download_token = this.#downloads.sign({ [person.dev]: ids });
    const machines = await this.machinesOf(person.dev, ids);
    return {
      download_token,
      products: await cards.opened(download_token),
      machines: keyedByName(owned.map(({ code }) => [code, machines.get(code) ?? []])),
      email_hint: hintOf(owned[0].email),
    };
  }

  /** One of the owner's serials, for what else can be done with it. @throws {AppError} link_invalid, not_found */
  async owned(token: string, code: string) {
    const person = await this.person(token);
    const serial = await findInText(code, (key) => findOwnedSerial(this.#deps.db, person, key));
    if (!serial) throw notFound('Serial');
    return serial;
  }

  /** The machines with a seat on each of some serials, by code. */
  async machinesOf(developerId: string, serialIds: readonly string[]): Promise<Map<string, MyMachine[]>> {
    const machines = new Map<string, MyMachine[]>();
    for (const { code, machine_id, ...machine } of await findMachines(this.#deps.db, developerId, serialIds)) {
      const those = machines.get(code) ?? [];
      machines.set(code, those);
      those.push({ ...machine, name: shortened(machine_id) });
    }
    return machines;
  }

  /**
   * The serials of one developer that a token opens: all of its owner's by the link from the email, or those of a
   * redemption.
   * @throws {AppError} link_invalid, also when they have another owner by now
   */
  async proven(token: string, developerId: string): Promise<{ serialIds: string[]; byEmail: boolean }> {
    const { db, customers } = this.#deps;
    const person = this.#links.verify(token);
    if (person) {
      if (person.dev !== developerId || !(await customers.followed(db, person, 'opens one'))) throw tooOld();
      const owned = await findOwned(db, person, MOST_SERIALS);
      return { serialIds: owned.map(({ id }) => id), byEmail: true };
    }
    const shown = this.#downloads.serialsOf(token);
    if (!shown) throw tooOld();
    const { [developerId]: serialIds = [] } = await stillProven(db, shown.serials, shown.at);
    return { serialIds, byEmail: false };
  }

  /** Whose link it is. @throws {AppError} link_invalid, also when they have another address by now. */
  async person(token: string): Promise<Emailed> {
    const { db, customers } = this.#deps;
    const claims = this.#claims(token);
    if (!(await customers.followed(db, claims, 'opens one'))) throw tooOld();
    return claims;
  }

  #claims(token: string): Emailed {
    const claims = this.#links.verify(token);
    if (!claims) throw tooOld();
    return { dev: claims.dev, customer: claims.customer, to: claims.to };
  }
}

function tooOld(): AppError {
  return new AppError('link_invalid', 'This link has expired. Request a new one.');
}

const NAME_LENGTH = 24;

/** Machine ids are usually long digests; the beginning is enough to distinguish machines. */
function shortened(machineId: string): string {
  return machineId.length <= NAME_LENGTH ? machineId : `${machineId.slice(0, NAME_LENGTH - 1)}…`;
}

/** Enough for the owner to recognize the address: `n•••@example.com`. */
function hintOf(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0]}•••${email.slice(at)}`;
}
