import type { InputOf } from '@tonerow/sdk';
import { text } from '#define/option-types.ts';
import { Failure } from '#exit.ts';
import { given } from '#input/given-values.ts';
import { sameName } from '#input/same-name.ts';
import type { Context } from '#run/context.ts';

export type ListName = NonNullable<NonNullable<InputOf<'listViews'>['query']>['list']>;

/** The option of lists that have saved views. */
export const VIEW = { view: text('<name>', 'a saved view; other options come on top of it') };

/** A view by name or id. */
export async function findView(context: Context, list: ListName | undefined, name: string) {
  const api = await context.api();
  const { views } = await api.listViews({ query: list ? { list } : {} }, context.call);
  const found = views.filter((view) => view.id === name || sameName(view.name, name));
  if (found.length > 1) throw new Failure(`Several lists have a view "${name}". Name its --list.`);
  const [view] = found;
  if (!view) throw new Failure(`You have no view "${name}"${list ? ` of this list` : ''}.`, 'not_found');
  return view;
}

/** The parameters of a list with those of a view below them. */
export async function withView<Query extends object>(
  context: Context,
  list: ListName,
  name: string | undefined,
  query: Query,
): Promise<Query> {
  if (name === undefined) return query;
  const { filter } = await findView(context, list, name);
  return { ...(filter as Query), ...given(query) };
}
