import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu } from './menu.tsx';

/** What can be done with one row, behind one button. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu
      label={label}
      face={<Ellipsis className="size-4" aria-hidden />}
      buttonClass="inline-grid size-8 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text"
    >
      {children}
    </Menu>
  );
}
