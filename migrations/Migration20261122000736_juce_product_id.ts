import { Migration } from '@mikro-orm/migrations';

export class Migration20261122000736_juce_product_id extends Migration {
  override name = 'Migration20261122000736_juce_product_id';

  override up(): void | Promise<void> {
    this.addSql(`alter table "products" add "juce_product_id" text null, add "juce_product_key" text null;`);
    this.addSql(
      `create unique index products_developer_juce_unique on products (developer_id, coalesce(juce_product_key, name_key)) where deleted_at is null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "products_developer_juce_unique";`);
    this.addSql(`alter table "products" drop column "juce_product_id", drop column "juce_product_key";`);
  }
}
