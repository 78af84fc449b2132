import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { findProduct } from '#input/find-by-name.ts';

export const productsRotateExpansionSecret = defineCommand({
  path: 'products rotate-expansion-secret',
  summary: 'Derive the keys of HISE expansions from another secret, for serials redeemed from now on',
  operations: ['rotateExpansionSecret'],
  args: [['<product>', 'id or name']],
  options: YES,
  examples: ['tonerow products rotate-expansion-secret "Prism Delay" --yes'],
  async run({ context, args: [text], options }) {
    const api = await context.api();
    const { id, name } = await findProduct(api, text, context.io.signal);
    await context.confirm(options.yes, `Derive the keys of expansions of “${name}” from another secret?`);
    const rotated = await api.rotateExpansionSecret({ path: { id } }, context.call);
    await context.print(rotated, '');
    context.note('Serials that are redeemed from now on get other keys. The others keep theirs.');
  },
});
