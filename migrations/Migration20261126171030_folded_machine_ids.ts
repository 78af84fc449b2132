import { Migration } from '@mikro-orm/migrations';

/** Of a machine's id, the spelling that stands for all of them. */
const FOLDED = String.raw`(case when machine_id ~* '^\{?[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$' then lower(machine_id) else machine_id end)`;

export class Migration20261126171030_folded_machine_ids extends Migration {
  override name = 'Migration20261126171030_folded_machine_ids';

  override up(): void | Promise<void> {
    // a machine that took a seat for each of two spellings keeps the one that it used last
    this.addSql(`with twins as (
      select developer_id, id, row_number() over (partition by developer_id, serial_id, ${FOLDED} order by last_seen_at desc, id desc) as n
      from activations where released_at is null
    ), gone as (
      update activations a set released_at = now(), token_hash = null, leased_until = null from twins t
      where t.n > 1 and (a.developer_id, a.id) = (t.developer_id, t.id) returning a.developer_id, a.serial_id
    )
    update serials s set seats_used = s.seats_used - g.n
    from (select developer_id, serial_id, count(*) as n from gone group by 1, 2) g
    where (s.developer_id, s.id) = (g.developer_id, g.serial_id);`);
    this.addSql(
      `create unique index activations_folded_unique on activations (serial_id, developer_id, ${FOLDED}) where released_at is null;`,
    );
    // the release before looks machines up by their spelling, and only two of its calls at once could meet here
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261126171030_folded_machine_ids');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261126171030_folded_machine_ids';`);
    this.addSql(`drop index "activations_folded_unique";`);
  }
}
