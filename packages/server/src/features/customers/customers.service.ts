import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Random } from '../../platform/random.ts';

export interface CustomerRow {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
}

/** The people who redeemed a developer's serials. */
export class Customers {
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(deps: { clock: Clock; random: Random }) {
    this.#clock = deps.clock;
    this.#random = deps.random;
  }

  async byEmail(sql: Sql, developerId: string, email: string): Promise<CustomerRow | undefined> {
    const rows = await sql.query<CustomerRow>(
      'select id, email, first_name, last_name from customers where developer_id = $1 and email_key = $2',
      [developerId, email.trim().toLowerCase()],
    );
    return rows[0];
  }

  /** The customer with this address, made when there is none. Names are only ever filled in, never overwritten. */
  async ensure(
    sql: Sql,
    developerId: string,
    person: { email: string; firstName?: string | null; lastName?: string | null },
  ): Promise<string> {
    const rows = await sql.query<{ id: string }>(
      `insert into customers as c (id, developer_id, email, email_key, first_name, last_name, created_at, last_login_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)
       on conflict (developer_id, email_key) do update set
         first_name = coalesce(c.first_name, excluded.first_name),
         last_name = coalesce(c.last_name, excluded.last_name),
         last_login_at = excluded.last_login_at
       returning id`,
      [
        this.#random.id(),
        developerId,
        person.email.trim(),
        person.email.trim().toLowerCase(),
        person.firstName || null,
        person.lastName || null,
        this.#clock.now(),
      ],
    );
    return (rows[0] as { id: string }).id;
  }

  async touch(sql: Sql, id: string): Promise<void> {
    await sql.query('update customers set last_login_at = $2 where id = $1', [id, this.#clock.now()]);
  }
}
