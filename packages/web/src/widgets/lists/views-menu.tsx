import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, Check, Pencil, Save, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { q } from '#lib/queries/operation.ts';
import type { View } from '#lib/types.ts';
import { Field, Input } from '#ui/forms/field.tsx';
import type { ColumnChoice } from '#ui/lists/columns.tsx';
import { Menu, menuItemClass } from '#ui/menus/menu.tsx';
import { MenuItems } from '#ui/menus/row-menu.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '../forms/form-dialog.tsx';

/** As the server takes it, without what is the default. */
type Filter = Record<string, string>;

interface ViewsMenuProps {
  list: View['list'];
  filter: Filter;
  columns: ColumnChoice;
  /** Shows the list with this filter and order. */
  onApply: (filter: Filter) => void;
}

const sameFilter = (a: Filter, b: Filter) =>
  Object.keys({ ...a, ...b }).every((key) => (a[key] ?? '') === (b[key] ?? ''));
const sameColumns = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((key) => b.includes(key));

/** Views of a list: a filter, an order and columns under a name, which follow the person everywhere. */
export function ViewsMenu({ list, filter, columns, onApply }: ViewsMenuProps) {
  const queryClient = useQueryClient();
  const [lastId, setLastId] = useState<string>();
  const [naming, setNaming] = useState<{ of: View | null } | null>(null);
  const found = useQuery({
    ...q('listViews', { query: { list } }),
    staleTime: 60_000,
  });
  const views = found.data?.views ?? [];
  const isShown = (view: View) => sameFilter(view.filter, filter) && sameColumns(view.hidden_columns, columns.hidden);
  const shown = views.find((view) => view.id === lastId && isShown(view)) ?? views.find(isShown);
  const last = shown ?? views.find((view) => view.id === lastId);
  const modified = last !== undefined && shown === undefined;
  const body = { filter, hidden_columns: columns.hidden };
  const apply = (view: View | null) => {
    setLastId(view?.id);
    columns.setHidden(view?.hidden_columns ?? columns.usual);
    onApply(view?.filter ?? {});
  };
  const fresh = () => refreshAfter(queryClient, 'viewsChanged');
  const update = useMutation({
    mutationFn: (id: string) => api.changeView({ path: { id }, body }),
    onSuccess: (view) => {
      notify.success(`Saved the view ${view.name}`);
      return fresh();
    },
    onError: (error) => notify.error("The view couldn't be saved.", error),
  });
  const restore = useMutation({
    mutationFn: ({ name, filter, hidden_columns }: View) =>
      api.createView({ body: { list, name, filter, hidden_columns } }),
    onSuccess: fresh,
    onError: (error) => notify.error("The view couldn't be saved.", error),
  });
  const remove = useMutation({
    mutationFn: (view: View) => api.deleteView({ path: { id: view.id } }),
    onSuccess: (_, view) => {
      notify.success(`Deleted the view ${view.name}`, { undo: () => restore.mutate(view) });
      return fresh();
    },
    onError: (error) => notify.error("The view couldn't be deleted.", error),
  });
  return (
    <>
      <Menu
        label={last ? `View: ${last.name}${modified ? ', modified' : ''}` : 'Views'}
        onOpen={() => (found.isError ? found.refetch() : undefined)}
        face={
          <>
            <Bookmark className="size-4" aria-hidden />
            <span className="max-w-40 truncate max-sm:sr-only">{last?.name ?? 'Views'}</span>
            {modified ? <span className="text-sm text-muted max-sm:sr-only">modified</span> : null}
          </>
        }
        buttonClass="inline-flex h-8 min-w-8 items-center justify-center gap-1.5 rounded-md px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-text"
      >
        <div className="max-h-80 w-64 max-w-[80vw] overflow-y-auto">
          <button type="button" className={menuItemClass} onClick={() => apply(null)}>
            <Check className={last ? 'opacity-0' : ''} aria-hidden />
            Everything
          </button>
          {found.isPending ? <span className="skeleton m-2.5 block h-4 w-40" /> : null}
          {found.isError ? (
            <p className="px-2.5 py-2 text-sm text-bad">Your views couldn't be loaded. Open this again.</p>
          ) : null}
          {views.map((view) => (
            <button
              key={view.id}
              type="button"
              className={menuItemClass}
              aria-current={shown?.id === view.id || undefined}
              onClick={() => apply(view)}
            >
              <Check className={last?.id === view.id ? '' : 'opacity-0'} aria-hidden />
              <span className="min-w-0 text-left wrap-anywhere">{view.name}</span>
            </button>
          ))}
        </div>
        <div className="mt-1 border-t border-line pt-1">
          <MenuItems
            items={[
              modified && { label: 'Save changes', icon: Save, act: () => update.mutate(last.id) },
              { label: 'Save as a new view…', icon: Bookmark, act: () => setNaming({ of: null }) },
              last !== undefined && { label: 'Rename…', icon: Pencil, act: () => setNaming({ of: last }) },
              last !== undefined && { label: 'Delete', icon: Trash2, act: () => remove.mutate(last) },
            ]}
          />
        </div>
      </Menu>
      <NameView
        naming={naming}
        onClose={() => setNaming(null)}
        save={(name, of) =>
          of
            ? api.changeView({ path: { id: of.id }, body: { name } })
            : api.createView({ body: { list, name, ...body } })
        }
        onSaved={(view) => {
          setLastId(view.id);
          return fresh();
        }}
      />
    </>
  );
}

interface NameViewProps {
  /** The view whose name is changed; a new one is null. */
  naming: { of: View | null } | null;
  onClose: () => void;
  save: (name: string, of: View | null) => Promise<View>;
  onSaved: (view: View) => unknown;
}

function NameView({ naming, onClose, save, onSaved }: NameViewProps) {
  const of = naming?.of ?? null;
  return (
    <FormDialog
      open={naming !== null}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={of ? 'Rename the view' : 'Save as a new view'}
      description={
        of
          ? undefined
          : 'The filter, the order and the columns as they are now. It is there in every browser you sign in with.'
      }
      values={{ name: of?.name ?? '' }}
      save={async ({ name }) => {
        const view = await save(name.trim(), of);
        notify.success(`Saved the view ${view.name}`);
        onSaved(view);
      }}
      ready={({ name }) => name.trim() !== ''}
      action="Save"
    >
      {({ register, error }) => (
        <Field label="Name" error={error('name')}>
          {(control) => <Input {...control} {...register('name')} maxLength={60} />}
        </Field>
      )}
    </FormDialog>
  );
}
