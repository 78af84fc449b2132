import { Migration } from '@mikro-orm/migrations';

export class Migration20261122070916_draws extends Migration {
  override name = 'Migration20261122070916_draws';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "draws" ("id" uuid not null, "reseller_id" uuid not null, "reference" text not null, "developer_id" uuid not null, "partnership_id" uuid not null, "product_id" uuid not null, "batch_tag" text null, "quantity" int not null, "created_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`create index "draws_list_index" on "draws" ("reseller_id", "id");`);
    this.addSql(`alter table "draws" add constraint "draws_reference_unique" unique ("reseller_id", "reference");`);

    this.addSql(
      `create table "draw_items" ("developer_id" uuid not null, "draw_id" uuid not null, "serial_id" uuid not null, "code" text not null, "expires_at" timestamptz(3) null, "returned_at" timestamptz(3) null, primary key ("developer_id", "draw_id", "serial_id"));`,
    );
    this.addSql(`create index draw_items_serial_index on draw_items (serial_id);`);

    this.addSql(
      `create table "serial_downloads" ("developer_id" uuid not null, "id" uuid not null, "batch_id" uuid not null, "batch_tag" text null, "partnership_id" uuid not null, "product_id" uuid not null, "codes" int not null, "downloaded_at" timestamptz(3) not null, primary key ("developer_id", "id", "batch_id"));`,
    );
    this.addSql(`create index serial_downloads_partnership_index on serial_downloads (partnership_id, id);`);
    this.addSql(`create index serial_downloads_batch_index on serial_downloads (batch_id, id);`);

    this.addSql(`alter table "draws" add constraint "draws_quantity_check" check (quantity > 0);`);

    this.addSql(
      `alter table "serial_downloads" add constraint "serial_downloads_partnership_id_developer_id_foreign" foreign key ("partnership_id", "developer_id") references "partnerships" ("id", "developer_id") on update no action;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "draws" cascade;`);
    this.addSql(`drop table if exists "draw_items" cascade;`);
    this.addSql(`drop table if exists "serial_downloads" cascade;`);
  }
}
