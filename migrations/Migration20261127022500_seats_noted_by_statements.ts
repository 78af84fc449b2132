import { Migration } from '@mikro-orm/migrations';

export class Migration20261127022500_seats_noted_by_statements extends Migration {
  override name = 'Migration20261127022500_seats_noted_by_statements';

  override up(): void | Promise<void> {
    this.addSql(`drop trigger if exists "activations_noted" on "activations";`);

    this.addSql(`drop function if exists "activations_activations_noted_fn"();`);
  }

  override down(): void | Promise<void> {
    this.addSql(`create or replace function "activations_activations_noted_fn"() returns trigger as $$ begin if tg_op = 'UPDATE' and (old.released_at is null, old.version, old.os, (old.last_seen_at at time zone 'UTC')::date)
    is not distinct from (new.released_at is null, new.version, new.os, (new.last_seen_at at time zone 'UTC')::date) then return null; end if;   insert into seat_changes (developer_id, id, product_id, machine, version, os, seen_on, seats)
  select n.developer_id, gen_random_uuid(), b.product_id, n.machine, n.version, n.os, n.seen_on, n.seats
  from (select old.developer_id, old.serial_id, hashtextextended(old.machine_id, 0), coalesce(old.version, ''), coalesce(old.os, ''), (old.last_seen_at at time zone 'UTC')::date, -1 where tg_op <> 'INSERT' and old.released_at is null
    union all select new.developer_id, new.serial_id, hashtextextended(new.machine_id, 0), coalesce(new.version, ''), coalesce(new.os, ''), (new.last_seen_at at time zone 'UTC')::date, 1 where tg_op <> 'DELETE' and new.released_at is null
  ) n (developer_id, serial_id, machine, version, os, seen_on, seats)
    join serials s on (s.developer_id, s.id) = (n.developer_id, n.serial_id)
    join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id);   if not found and tg_op = 'DELETE' and old.released_at is null then
    update seat_counts set counted_at = null where developer_id = old.developer_id;   end if;   return null; end; $$ language plpgsql;`);
    this.addSql(
      `create trigger "activations_noted" AFTER INSERT OR UPDATE OR DELETE on "activations" for each ROW execute function "activations_activations_noted_fn"();`,
    );
  }
}
