import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Menu, menuItemClass } from '../menus/menu.tsx';
import type { Column } from './table.tsx';

/** Those that were hidden before there were columns that nobody has chosen yet. */
const earlier = (table: string) => `columns of ${table}`;
const store = (table: string) => `hidden columns of ${table}`;

function read(key: string): string[] | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : null;
  } catch {
    return null;
  }
}

const isOptional = <T,>({ optional, extra }: Column<T>) => optional || extra;

/** The columns that a table begins without. */
export const usualHidden = <T,>(columns: Column<T>[]): string[] =>
  columns.filter(({ extra }) => extra).map(({ key }) => key);

export interface ColumnChoice {
  choices: { key: string; header: string; on: boolean }[];
  toggle: (key: string) => void;
  hidden: string[];
  setHidden: (hidden: string[]) => void;
  /** The hidden ones of somebody who has chosen none. */
  usual: string[];
}

/** The columns of a table without those that the person has hidden, which are remembered in this browser. */
export function useColumns<T>(table: string, columns: Column<T>[]): ColumnChoice & { shown: Column<T>[] } {
  const usual = usualHidden(columns);
  const [hidden, set] = useState(() => read(store(table)) ?? [...(read(earlier(table)) ?? []), ...usual]);
  const setHidden = (next: string[]) => {
    set(next);
    localStorage.setItem(store(table), JSON.stringify(next));
  };
  const toggle = (key: string) =>
    setHidden(hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key]);
  const shown = columns.filter((column) => !(isOptional(column) && hidden.includes(column.key)));
  const choices = columns.filter(isOptional).map(({ key, header }) => ({ key, header, on: !hidden.includes(key) }));
  return { shown, choices, toggle, hidden, setHidden, usual };
}

/** Whether other columns are shown than those that a table begins with. */
const isChanged = ({ choices, usual }: Pick<ColumnChoice, 'choices' | 'usual'>) =>
  choices.some(({ key, on }) => on === usual.includes(key));

/** Chooses the columns of a table. It stays open, because one rarely chooses one. */
export function ColumnMenu({ choices, toggle, setHidden, usual }: Omit<ColumnChoice, 'hidden'>) {
  return (
    <Menu
      stay
      label="Columns"
      face={<Columns3 className="size-4" aria-hidden />}
      buttonClass="inline-grid size-8 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text max-md:hidden"
    >
      <p className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-muted">Columns</p>
      {choices.map(({ key, header, on }) => (
        <label key={key} className="flex h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 hover:bg-hover">
          <input type="checkbox" checked={on} onChange={() => toggle(key)} className="size-4 accent-(--accent)" />
          {header}
        </label>
      ))}
      {isChanged({ choices, usual }) ? (
        <div className="mt-1 border-t border-line pt-1">
          <button type="button" className={menuItemClass} onClick={() => setHidden(usual)}>
            Show the usual columns
          </button>
        </div>
      ) : null}
    </Menu>
  );
}
