import { Migration } from '@mikro-orm/migrations';

export class Migration20261123030259_activated_serials extends Migration {
  override name = 'Migration20261123030259_activated_serials';

  override up(): void | Promise<void> {
    this.addSql(`alter table "serials" add "activated_at" timestamptz(3) null;`);
    this.addSql(`update serials s set activated_at = a.first from (
        select developer_id, serial_id, min(created_at) as first from activations group by 1, 2) a
      where (s.developer_id, s.id) = (a.developer_id, a.serial_id);`);
    this.addSql(
      `create index serials_ever_handed_out_index on serials (batch_id, developer_id) where handed_out_at is not null;`,
    );
    this.addSql(
      `create index serials_activated_index on serials (batch_id, developer_id) where activated_at is not null;`,
    );
    this.addSql(`drop index "serials_redeemed_index";`);
    this.addSql(
      `create index serials_redeemed_index on serials (batch_id, developer_id) where redeemed_at is not null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "serials_redeemed_index";`);
    this.addSql(`create index serials_redeemed_index on serials (batch_id) where redeemed_at is not null;`);
    this.addSql(`drop index "serials_ever_handed_out_index";`);
    this.addSql(`drop index "serials_activated_index";`);
    this.addSql(`alter table "serials" drop column "activated_at";`);
  }
}
