import type { ProductUnlock } from '@tonerow/sdk';
import { publishProductUnlockAudience } from '@tonerow/sdk/values';
import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, flag, text } from '#define/option-types.ts';
import { Failure, UsageError } from '#exit.ts';
import { findProduct } from '#input/find-by-name.ts';
import { outOf, receive } from '#output/files/stream.ts';
import { list } from '#output/table.ts';

export const productsUnlock = defineCommand({
  path: 'products unlock',
  summary: 'Show a product’s unlock for good; make, put away, publish or withdraw it',
  operations: [
    'getProductUnlock',
    'makeProductUnlock',
    'downloadProductUnlock',
    'publishProductUnlock',
    'withdrawProductUnlock',
  ],
  args: [['<product>', 'id or name']],
  options: {
    make: flag('sign it; nobody has it until it is put away or published'),
    save: text('<file>', 'put its file away: whoever has it has the product'),
    publish: choice('<audience>', 'offer it on the redemption page, which cannot be undone', {
      values: publishProductUnlockAudience,
    }),
    withdraw: flag('forget it, as long as it is not published'),
    confirm: text('<name>', 'the product’s name, to confirm'),
    ...SURE,
  },
  examples: [
    'tonerow products unlock "Prism Delay" --make --save unlock.json',
    'tonerow products unlock "Prism Delay" --publish owners --confirm "Prism Delay"',
  ],
  async run({ context, args: [name], options }) {
    if ([options.make, options.publish, options.withdraw].filter(Boolean).length > 1)
      throw new UsageError('Give one of --make, --publish and --withdraw.');
    if (options.dryRun && !options.withdraw) throw new UsageError('--dry-run goes with --withdraw.');
    const api = await context.api();
    const product = await findProduct(api, name, context.io.signal);
    const path = { id: product.id };
    if (options.withdraw) {
      const sure = await context.sure(options, {
        question: 'A file that was put away keeps working. Withdraw the unlock?',
        look: () => api.getProductUnlock({ path }, context.call),
        would: ({ product_name, published_at }) => {
          if (published_at) throw new Failure('A published unlock can no longer be withdrawn.', 'conflict');
          return `The unlock of ${product_name} would be withdrawn.`;
        },
      });
      if (!sure) return;
      return context.print(await api.withdrawProductUnlock({ path }, context.call), 'The unlock is withdrawn.\n');
    }
    if (options.make || options.publish) {
      const warning =
        'An unlock for good opens the product on every computer, without an end. It cannot be called back.';
      const product_name =
        options.confirm ??
        (await context.ask({ text: `${warning} Type ${product.name} to confirm: `, instead: '--confirm NAME' }));
      if (options.publish) {
        const body = { product_name, audience: options.publish };
        const published = await api.publishProductUnlock({ path, body }, context.call);
        return context.print(published, card(published));
      }
      await api.makeProductUnlock({ path, body: { product_name } }, context.call);
    }
    if (options.save) {
      const response = await api.stream.downloadProductUnlock({ path }, context.call);
      return receive(context, response, outOf(context, options.save), 'Receiving');
    }
    const unlock = await api.getProductUnlock({ path }, context.call);
    return context.print(unlock, card(unlock));
  },
});

function card(unlock: ProductUnlock): string {
  return list([
    ['Product', unlock.product_name],
    ['Made', unlock.created_at],
    ['Put away', unlock.downloaded_at ?? 'never'],
    ['Published', unlock.published_at ? `${unlock.published_at}, for ${unlock.audience}` : 'no'],
    ['File', unlock.url ?? '–'],
  ]);
}
