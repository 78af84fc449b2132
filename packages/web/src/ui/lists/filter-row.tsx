import { SlidersHorizontal, X } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Button, IconButton } from '../button.tsx';
import { cn } from '../cn.ts';
import { FilterSheet } from '../dialogs/dialog.tsx';

const InSheet = createContext(false);

/** Whether filters are in the sheet: below each other and as wide as the sheet, not in a row. */
export const useInSheet = () => useContext(InSheet);

/** How wide the field of a search is in such a row. */
export const searchClass = 'flex-1 lg:max-w-88';

interface FilterRowProps {
  /** The field of the search, which is always there: `searchClass` gives it the room. */
  search?: ReactNode;
  /** The filters. Undefined: there are none. */
  children?: ReactNode;
  /** How many of the filters narrow the list now. */
  chosen?: number;
  /** Takes all of them away. */
  onClear?: (() => void) | undefined;
  /** There are so many that a row of them needs a wide screen. */
  many?: boolean;
  /** Actions for the whole list, on the right. */
  actions?: ReactNode;
  className?: string;
}

/** Search and filters above a list, in one row. Where there is no room for it, the filters are in a sheet. */
export function FilterRow({ search, children, chosen = 0, onClear, many = false, actions, className }: FilterRowProps) {
  const [open, setOpen] = useState(false);
  return (
    <div
      className={cn(
        'mb-4 flex flex-wrap items-start gap-2 lg:[&_[role=combobox]]:text-sm lg:[&_select]:text-sm',
        // the words of what is chosen need its room
        chosen > 0 && 'lg:[--least:176px]',
        className,
      )}
    >
      {search}
      {children ? (
        <>
          {/* each finds its place in the row by itself */}
          <div className={cn('hidden', many ? 'xl:contents' : 'lg:contents')}>
            {children}
            {chosen > 0 && onClear ? (
              <IconButton label="Clear filters" className="size-9!" onClick={onClear}>
                <X aria-hidden />
              </IconButton>
            ) : null}
          </div>
          <Button
            onClick={() => setOpen(true)}
            aria-haspopup="dialog"
            className={cn('px-3!', chosen > 0 && 'border-accent-line!', many ? 'xl:hidden' : 'lg:hidden')}
          >
            <SlidersHorizontal className="size-4" aria-hidden />
            Filters
            {chosen > 0 ? <span className="figures text-accent-text">{chosen}</span> : null}
          </Button>
          <FilterSheet open={open} onOpenChange={setOpen} title="Filters">
            <InSheet value={true}>
              <div className="flex flex-col gap-3 *:w-full!">{children}</div>
            </InSheet>
            <div className="mt-5 flex gap-2">
              {chosen > 0 && onClear ? (
                <Button className="flex-1" onClick={onClear}>
                  Clear filters
                </Button>
              ) : null}
              <Button variant="primary" className="flex-1" onClick={() => setOpen(false)}>
                Show the list
              </Button>
            </div>
          </FilterSheet>
        </>
      ) : null}
      {actions ? <div className="ml-auto flex flex-wrap justify-end gap-2">{actions}</div> : null}
    </div>
  );
}
