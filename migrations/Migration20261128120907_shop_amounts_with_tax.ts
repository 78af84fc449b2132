import { Migration } from '@mikro-orm/migrations';

export class Migration20261128120907_shop_amounts_with_tax extends Migration {
  override name = 'Migration20261128120907_shop_amounts_with_tax';

  override up(): void | Promise<void> {
    this.addSql(`alter table "shop_reversals" add "is_net" boolean not null default false;`);

    this.addSql(`alter table "shop_lines" add "gross_minor" bigint null;`);
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261128120907_shop_amounts_with_tax');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261128120907_shop_amounts_with_tax';`);

    this.addSql(`alter table "shop_lines" drop column "gross_minor";`);

    this.addSql(`alter table "shop_reversals" drop column "is_net";`);
  }
}
