import { defineCommand } from '#define/define-command.ts';
import { choice, required, texts } from '#define/option-types.ts';
import { Failure } from '#exit.ts';
import { sameName } from '#input/same-name.ts';
import { LISTS } from './list.ts';

export const viewsSave = defineCommand({
  path: 'views save',
  summary: 'Save a view, or other parameters in one of that name',
  operations: ['listViews', 'createView', 'changeView'],
  args: [['<name>', 'what it is called']],
  options: {
    list: required(
      choice('<list>', 'redeemed, available, batches, customers, transactions or products', { values: LISTS }),
      'Name the list that it is a view of, such as --list redeemed.',
    ),
    filter: texts('<name=value>', 'a parameter of the list, such as status=revoked or sort=-total; may be repeated'),
  },
  examples: ['tonerow views save "Limit reached" --list redeemed --filter status=download_limit --filter sort=-total'],
  async run({ context, args: [name], options }) {
    const filter = Object.fromEntries(
      options.filter.map((each) => {
        const at = each.indexOf('=');
        if (at < 1) throw new Failure(`"${each}" is not a parameter. Write it as name=value.`);
        return [each.slice(0, at), each.slice(at + 1)];
      }),
    );
    const api = await context.api();
    const { views } = await api.listViews({ query: { list: options.list } }, context.call);
    const before = views.find((view) => sameName(view.name, name));
    const saved = before
      ? await api.changeView({ path: { id: before.id }, body: { filter } }, context.call)
      : await api.createView({ body: { list: options.list, name, filter } }, context.call);
    await context.print(saved, '');
    context.note(`Saved the view "${saved.name}".`);
  },
});
