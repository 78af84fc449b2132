import { Migration } from '@mikro-orm/migrations';

export class Migration20261122064229_handed_out extends Migration {
  override name = 'Migration20261122064229_handed_out';

  override up(): void | Promise<void> {
    this.addSql(`alter table "serials" add "handed_out_at" timestamptz(3) null, add "draw_id" uuid null;`);
    this.addSql(`drop index "serials_available_index";`);
    this.addSql(
      `create index serials_available_index on serials (batch_id, id) where redeemed_at is null and revoked_at is null and handed_out_at is null;`,
    );
    this.addSql(
      `create index serials_handed_out_index on serials (batch_id, id) where redeemed_at is null and revoked_at is null and handed_out_at is not null;`,
    );
    this.addSql(
      `alter table "serials" add constraint "serials_draw_check" check ((draw_id is null) = (handed_out_at is null));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "serials_handed_out_index";`);
    this.addSql(`drop index "serials_available_index";`);
    this.addSql(
      `create index serials_available_index on serials (batch_id, id) where redeemed_at is null and revoked_at is null;`,
    );
    this.addSql(`alter table "serials" drop constraint "serials_draw_check";`);
    this.addSql(`alter table "serials" drop column "handed_out_at", drop column "draw_id";`);
  }
}
