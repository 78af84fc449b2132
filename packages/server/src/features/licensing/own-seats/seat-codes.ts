import { hasRedeemed } from '#features/customers';
import { type Clock, DAY, MINUTE } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { acrossTenants, joinOwn } from '#platform/db/tenant.ts';
import type { Random } from '#platform/random.ts';
import { type Secrets, sameBytes, sha256 } from '#platform/secrets/secrets.ts';
import type { Language } from '#platform/text/languages.ts';
import { isUserCode, newUserCode, plainUserCode, shownUserCode } from '#platform/text/user-code.ts';
import { foldOf } from '../rules/machine-ids.ts';
import { holdSerial } from '../seats/take.queries.ts';
import type { SeatedSerial } from '../seats/take.ts';
import type { LicensingDb } from '../tables.ts';

const PURPOSE = 'license seat code';
const LIFETIME = 15 * MINUTE;
/** The most codes to one owner for one serial in a day: anyone who knows the serial can ask for them. */
const MOST_A_DAY = 10;
/** Wrong codes that may be tried on one machine. */
const MOST_TRIES = 10;

/** Port: the email with a code, queued in the caller's transaction. */
export interface SeatCodeEmails {
  seatCode(
    sql: Sql,
    developerId: string,
    to: { email: string; language: Language | null; came: boolean },
    code: string,
  ): Promise<void>;
}

/** A license, its customer, and the machine on which a code is typed. */
interface SeatCodeQuestion extends SeatedSerial {
  customerId: string;
  machineId: string;
}

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  secrets: Secrets;
  emails: SeatCodeEmails;
}

/** Codes by which a plugin shows that its owner sits before it: sent to the owner's email, typed on one machine. */
export class SeatCodes {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Nothing is sent for a license that has another owner by now, or had too many codes today. */
  async send({ developerId, serialId, customerId, machineId }: SeatCodeQuestion): Promise<void> {
    const { db, clock, random, emails } = this.#deps;
    const code = newUserCode(random);
    const now = clock.now();
    await db.work({ tx: true }, async (tx) => {
      // calls at the same moment are counted one after the other
      await holdSerial(tx, developerId, serialId);
      const owner = await tx
        .selectFrom('serials as s')
        .$call(joinOwn('customers as c', 'c.id', 's.customer_id'))
        .select(['c.email', 'c.language', hasRedeemed('c').as('came')])
        .where('s.developer_id', '=', developerId)
        .where('s.id', '=', serialId)
        .where('c.id', '=', customerId)
        .where('c.erased_at', 'is', null)
        .executeTakeFirst();
      const { sent } = await tx
        .selectFrom('license_seat_codes')
        .select((eb) => eb.fn.countAll<number>().as('sent'))
        .where('developer_id', '=', developerId)
        .where('serial_id', '=', serialId)
        .where('created_at', '>', new Date(now.getTime() - DAY))
        .executeTakeFirstOrThrow();
      if (!owner || sent >= MOST_A_DAY) return;
      await tx
        .insertInto('license_seat_codes')
        .values({
          developer_id: developerId,
          id: random.id(),
          serial_id: serialId,
          customer_id: customerId,
          machine_hash: sha256(foldOf(machineId)),
          code_hash: this.#hashOf(code),
          tries: 0,
          created_at: now,
          expires_at: new Date(now.getTime() + LIFETIME),
        })
        .execute();
      await emails.seatCode(tx, developerId, owner, shownUserCode(code));
    });
  }

  /** Whether a code is right. A wrong one counts against all that could have been meant, in the statement that compares. */
  async isRight({ developerId, serialId, customerId, machineId }: SeatCodeQuestion, typed: string): Promise<boolean> {
    const code = plainUserCode(typed);
    if (!isUserCode(code)) return false;
    const hash = this.#hashOf(code);
    const live = await this.#deps.db
      .updateTable('license_seat_codes')
      .set((eb) => ({
        tries: eb
          .case()
          .when('code_hash', '=', hash)
          .then(eb.ref('tries'))
          .else(eb('tries', '+', 1))
          .end(),
      }))
      .where('developer_id', '=', developerId)
      .where('serial_id', '=', serialId)
      .where('customer_id', '=', customerId)
      .where('machine_hash', '=', sha256(foldOf(machineId)))
      .where('expires_at', '>', this.#deps.clock.now())
      .where('tries', '<', MOST_TRIES)
      .returning('code_hash')
      .execute();
    return live.some(({ code_hash }) => sameBytes(Buffer.from(code_hash), hash));
  }

  /** Hourly: deletes those that count no more. */
  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    await db
      .deleteFrom('license_seat_codes')
      .where('created_at', '<=', new Date(clock.now().getTime() - DAY))
      .modifyEnd(acrossTenants('housekeeping'))
      .execute();
  }

  /** Under a key: eight characters alone could be tried out on what was read from a backup. */
  #hashOf(code: string): Buffer {
    return this.#deps.secrets.mac(code, PURPOSE);
  }
}
