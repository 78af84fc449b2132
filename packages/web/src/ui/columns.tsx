import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Menu } from './menu.tsx';
import type { Column } from './table.tsx';

const store = (table: string) => `columns of ${table}`;

function read(table: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(store(table)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

export interface ColumnChoice {
  choices: { key: string; header: string; on: boolean }[];
  toggle: (key: string) => void;
  hidden: string[];
  setHidden: (hidden: string[]) => void;
}

/** The columns of a table without those that the person has hidden, which are remembered in this browser. */
export function useColumns<T>(table: string, columns: Column<T>[]): ColumnChoice & { shown: Column<T>[] } {
  const [hidden, set] = useState(() => read(table));
  const setHidden = (next: string[]) => {
    set(next);
    localStorage.setItem(store(table), JSON.stringify(next));
  };
  const toggle = (key: string) =>
    setHidden(hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key]);
  const shown = columns.filter(({ key, optional }) => !(optional && hidden.includes(key)));
  const choices = columns
    .filter(({ optional }) => optional)
    .map(({ key, header }) => ({ key, header, on: !hidden.includes(key) }));
  return { shown, choices, toggle, hidden, setHidden };
}

interface ColumnMenuProps {
  choices: { key: string; header: string; on: boolean }[];
  onToggle: (key: string) => void;
}

/** Chooses the columns of a table. It stays open, because one rarely chooses one. */
export function ColumnMenu({ choices, onToggle }: ColumnMenuProps) {
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
          <input type="checkbox" checked={on} onChange={() => onToggle(key)} className="size-4 accent-(--accent)" />
          {header}
        </label>
      ))}
    </Menu>
  );
}
