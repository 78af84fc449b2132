import { defineCommand } from '#define/define-command.ts';
import { text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { table } from '#output/table.ts';

export const downloadsUnlocks = defineCommand({
  path: 'downloads unlocks',
  summary: 'List what a developer has unlocked for everyone, or save the file of one',
  operations: ['listPublishedUnlocks', 'getPublishedUnlock'],
  options: {
    dev: text('<id>', 'id of the developer whose page it is'),
    id: text('<id>', 'the unlock whose file is wanted'),
    out: text('<file>', 'where its file is written ("-" for standard output)'),
  },
  examples: [
    'tonerow downloads unlocks --dev 01900000-0000-7000-8000-000000000002',
    'tonerow downloads unlocks --id 01900000-0000-7000-8000-000000000003 --out unlock.json',
  ],
  async run({ context, options }) {
    const { dev, id, out } = options;
    const api = await context.client();
    if (id !== undefined) {
      if (!out) throw new UsageError('Name the file with --out FILE.');
      const response = await api.stream.getPublishedUnlock({ path: { id } }, context.call);
      return receive(context, response, outOf(context, out), 'Receiving');
    }
    const found = [];
    for await (const each of api.paginate.listPublishedUnlocks({ query: { dev } }, context.call)) found.push(each);
    const rows = found.map((each) => [each.id, each.product_name, each.published_at, each.url]);
    const none = 'Nothing is unlocked for everyone.\n';
    await context.print(found, found.length === 0 ? none : table(['ID', 'PRODUCT', 'PUBLISHED', 'FILE'], rows));
  },
});
