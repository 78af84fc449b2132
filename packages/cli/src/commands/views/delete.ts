import { SURE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice } from '#define/option-types.ts';
import { findView } from './find.ts';
import { LISTS } from './list.ts';

export const viewsDelete = defineCommand({
  path: 'views delete',
  summary: 'Delete a view; the list itself stays as it is',
  operations: ['listViews', 'deleteView'],
  args: [['<view>', 'name or id']],
  options: { list: choice('<list>', 'the list that it is a view of', { values: LISTS }), ...SURE },
  examples: ['tonerow views delete "Limit reached" --list redeemed --yes'],
  async run({ context, args: [name], options }) {
    const view = await findView(context, options.list, name);
    const sure = await context.sure(options, {
      question: 'Delete this view?',
      look: async () => view,
      would: (each) => `The view ${each.name} would be deleted.`,
    });
    if (!sure) return;
    const { id } = view;
    await (await context.api()).deleteView({ path: { id } }, context.call);
    context.note('The view has been deleted.');
  },
});
