import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { formatCount } from '#lib/format/format.ts';
import { Button, IconButton } from '../button.tsx';
import { cn } from '../cn.ts';

export interface Selection<T> {
  rows: T[];
  has(row: T): boolean;
  toggle(row: T): void;
  /** Selects all of these, or clears them when all are selected. */
  toggleAll(rows: T[]): void;
  clear(): void;
}

/** Rows a person has picked; they stay picked from page to page. */
export function useSelection<T>(keyOf: (row: T) => string): Selection<T> {
  const [picked, setPicked] = useState<ReadonlyMap<string, T>>(new Map());
  const change = (act: (next: Map<string, T>) => void) =>
    setPicked((before) => {
      const next = new Map(before);
      act(next);
      return next;
    });
  return {
    rows: [...picked.values()],
    has: (row) => picked.has(keyOf(row)),
    toggle: (row) => change((next) => (next.delete(keyOf(row)) ? undefined : next.set(keyOf(row), row))),
    toggleAll: (rows) =>
      change((next) => {
        const all = rows.every((row) => next.has(keyOf(row)));
        for (const row of rows) {
          if (all) next.delete(keyOf(row));
          else next.set(keyOf(row), row);
        }
      }),
    clear: () => setPicked(new Map()),
  };
}

interface SelectBoxProps {
  label: string;
  checked: boolean;
  /** Some, not all. */
  mixed?: boolean;
  disabled?: boolean;
  onChange: () => void;
  className?: string;
}

/** The label around the checkbox makes the touch target large enough. */
export function SelectBox({ label, checked, mixed = false, disabled = false, onChange, className }: SelectBoxProps) {
  return (
    <label className={cn('inline-grid size-8 shrink-0 cursor-pointer place-items-center', className)}>
      <input
        ref={(box) => {
          if (box) box.indeterminate = mixed;
        }}
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
        className="size-4 accent-(--accent)"
      />
    </label>
  );
}

interface SelectionBarProps<T> {
  selection: Selection<T>;
  /** The visible rows. */
  rows: T[];
  one: string;
  /** Several, where an s is not enough. */
  many?: string;
  /** Actions on the selected rows. */
  actions: ReactNode;
  /** Shown while nothing is selected. */
  children?: ReactNode;
  /** Selects what is on the other pages too. */
  matching?: { words: string; on: boolean; onAll: () => void; onClear: () => void } | undefined;
  /** Stays below the header of the page. */
  sticky?: boolean;
}

/** Always rendered at the same height, so that selecting a row shifts nothing. */
export function SelectionBar<T>({
  selection,
  rows,
  one,
  many = `${one}s`,
  actions,
  children,
  matching,
  sticky = false,
}: SelectionBarProps<T>) {
  const count = selection.rows.length;
  const everything = matching?.on ?? false;
  const clear = () => {
    selection.clear();
    matching?.onClear();
  };
  const here = rows.filter((row) => selection.has(row)).length;
  return (
    <div
      className={cn(
        'flex min-h-12 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-2 py-1.5 md:px-3',
        sticky && 'sticky top-14 z-20 rounded-t-lg bg-surface',
      )}
    >
      <SelectBox
        label="Select all on this page"
        checked={rows.length > 0 && here === rows.length}
        mixed={here > 0 && here < rows.length}
        disabled={rows.length === 0}
        onChange={() => (everything ? clear() : selection.toggleAll(rows))}
      />
      <span className="figures text-sm text-muted" aria-live="polite">
        {everything ? (
          `All ${matching?.words} selected`
        ) : count > 0 ? (
          <>
            {formatCount(count)}
            <span className="max-md:sr-only"> {count === 1 ? one : many} selected</span>
          </>
        ) : (
          'Select all on this page'
        )}
      </span>
      {matching && !everything && rows.length > 0 && here === rows.length ? (
        <Button size="sm" variant="ghost" onClick={matching.onAll} className="text-accent-text">
          Select all {matching.words}
        </Button>
      ) : null}
      {count > 0 || everything ? (
        <div className="ml-auto flex items-center gap-1 sm:gap-1.5">
          {actions}
          <IconButton label="Clear the selection" onClick={clear}>
            <X aria-hidden />
          </IconButton>
        </div>
      ) : (
        <div className="ml-auto flex items-center">{children}</div>
      )}
    </div>
  );
}
