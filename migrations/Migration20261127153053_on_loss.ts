import { Migration } from '@mikro-orm/migrations';

export class Migration20261127153053_on_loss extends Migration {
  override name = 'Migration20261127153053_on_loss';

  override up(): void | Promise<void> {
    this.addSql(`alter table "products" add "on_loss" text not null default 'finish';`);
    this.addSql(
      `alter table "products" add constraint "products_on_loss_check" check (on_loss in ('finish', 'bypass', 'mute'));`,
    );
    this.addSql(`insert into rolling_migrations (name) values ('Migration20261127153053_on_loss');`);
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from rolling_migrations where name = 'Migration20261127153053_on_loss';`);
    this.addSql(`alter table "products" drop constraint "products_on_loss_check";`);
    this.addSql(`alter table "products" drop column "on_loss";`);
  }
}
