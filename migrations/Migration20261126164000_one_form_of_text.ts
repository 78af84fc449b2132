import { Migration } from '@mikro-orm/migrations';

/** What people typed, by table. Statements, the ledger and what was sent stay as they were written. */
const TYPED = {
  users: ['first_name', 'last_name', 'company_name', 'business_address', 'tax_id'],
  access_tokens: ['name'],
  plugin_keys: ['label'],
  saved_views: ['name'],
  products: ['name', 'juce_product_id', 'short_desc', 'long_desc', 'install_help'],
  batches: ['batch_tag', 'notes'],
  partnerships: ['name'],
  customers: ['first_name', 'last_name'],
  customer_events: ['detail'],
  draws: ['reference', 'batch_tag'],
  serial_downloads: ['batch_tag'],
  deal_requests: ['note', 'answer'],
};

const PERSON = "(email_key || ' ' || coalesce(first_name, '') || ' ' || coalesce(last_name, ''))";
const FOLDED = `(case when octet_length(${PERSON}) = char_length(${PERSON}) then lower(${PERSON}) else replace(replace(replace(replace(translate(lower(regexp_replace(normalize(${PERSON}, NFKD), '[\\u0300-\\u036f]+', '', 'g')), 'øłđðħıŧ', 'olddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') end)`;

/** Names that look the same have the same key. */
function nameKey(name: string): string {
  return name
    .replace(/[\uff00-\uffef]+/g, (wide) => wide.normalize('NFKC'))
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replace(/[\s\u2800]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** An address with full-width characters in the ordinary ones. */
const narrow = (address: string) => address.replace(/[\uff00-\uffef]+/g, (wide) => wide.normalize('NFKC'));

const WIDE = "~ '[\\uff00-\\uffef]'";
/** What a key may have to change in. */
const odd = (column: string) => `(octet_length(${column}) <> char_length(${column}) or ${column} like '%  %')`;

export class Migration20261126164000_one_form_of_text extends Migration {
  override name = 'Migration20261126164000_one_form_of_text';

  override async up(): Promise<void> {
    // an open draw of the same reference in two forms is left, because a reference is unique
    for (const [table, columns] of Object.entries(TYPED)) {
      for (const column of columns) {
        const unique =
          column === 'reference'
            ? ` and not exists (select 1 from draws o where o.reseller_id = draws.reseller_id and o.reference = normalize(draws.reference, NFC))`
            : '';
        await this.execute(
          `update ${table} set ${column} = normalize(${column}, NFC) where ${column} is not nfc normalized${unique}`,
        );
      }
    }
    await this.productKeys();
    await this.keysOf('partnerships', 'developer_id = k.developer_id');
    await this.keysOf('saved_views', 'user_id = k.user_id and o.list = k.list');
    await this.addresses();
    await this.execute('drop index if exists customers_search_index');
    await this.execute(`create index customers_search_index on customers using gin (${FOLDED} gin_trgm_ops)`);
    // the release before finds and compares by keys that it makes itself, and keeps searching, without the index
    await this.execute(
      `insert into rolling_migrations (name) values ('Migration20261126164000_one_form_of_text') on conflict do nothing`,
    );
  }

  override async down(): Promise<void> {
    await this.execute('drop index if exists customers_search_index');
    await this.execute(
      "create index customers_search_index on customers using gin ((email_key || ' ' || lower(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) gin_trgm_ops)",
    );
  }

  /** Of products that already look the same, one has the key; the others keep theirs until they are renamed. */
  private async productKeys(): Promise<void> {
    const rows = await this.execute(
      `select id, developer_id, name_key, juce_product_key from products
       where ${odd('name_key')} or ${odd("coalesce(juce_product_key, '')")} order by id`,
    );
    for (const { id, developer_id, name_key, juce_product_key } of rows as Record<string, string>[]) {
      const key = nameKey(name_key as string);
      const juce = juce_product_key == null ? null : nameKey(juce_product_key);
      if (key === name_key && juce === (juce_product_key ?? null)) continue;
      await this.execute(
        `update products p set name_key = ?, juce_product_key = ? where p.developer_id = ? and p.id = ? and not exists (
           select 1 from products o where o.developer_id = p.developer_id and o.id <> p.id and o.deleted_at is null and p.deleted_at is null
             and (o.name_key = ? or coalesce(o.juce_product_key, o.name_key) = ?))`,
        [key, juce, developer_id, id, key, juce ?? key],
      );
    }
  }

  private async keysOf(table: string, same: string): Promise<void> {
    const rows = await this.execute(`select id, name_key from ${table} where ${odd('name_key')} order by id`);
    for (const { id, name_key } of rows as Record<string, string>[]) {
      const key = nameKey(name_key as string);
      if (key === name_key) continue;
      await this.execute(
        `update ${table} k set name_key = ? where k.id = ? and not exists (
           select 1 from ${table} o where o.id <> k.id and o.${same} and o.name_key = ?)`,
        [key, id, key],
      );
    }
  }

  private async addresses(): Promise<void> {
    for (const [table, same] of [
      ['users', 'true'],
      ['customers', 'o.developer_id = a.developer_id'],
    ]) {
      const rows = await this.execute(
        `select id, email, email_key from ${table} where email ${WIDE} or email_key ${WIDE} order by id`,
      );
      for (const { id, email, email_key } of rows as Record<string, string>[]) {
        const key = email_key == null ? null : narrow(email_key).toLowerCase();
        await this.execute(
          `update ${table} a set email = ?, email_key = ? where a.id = ? and not exists (
             select 1 from ${table} o where o.id <> a.id and ${same} and o.email_key = ?)`,
          [narrow(email as string), key, id, key],
        );
      }
    }
  }
}
