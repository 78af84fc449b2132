import { LayoutGrid, Rows3 } from 'lucide-react';
import { cn } from '#ui/cn.ts';

export type ProductLook = 'cards' | 'table';

const looks = [
  ['cards', 'Cards', LayoutGrid],
  ['table', 'Table', Rows3],
] as const;

/** Cards show how products look and sell; the table compares them. */
export function ProductLooks({ look, onLook }: { look: ProductLook; onLook: (look: ProductLook) => void }) {
  return (
    <fieldset className="inline-flex h-9 items-center rounded-md border border-line-strong bg-raised p-0.5">
      <legend className="sr-only">Show products as</legend>
      {looks.map(([each, label, Icon]) => (
        <button
          key={each}
          type="button"
          aria-pressed={look === each}
          onClick={() => onLook(each)}
          className={cn(
            'inline-flex h-full items-center gap-1.5 rounded-sm px-2.5 text-sm',
            look === each ? 'bg-hover font-medium text-text' : 'text-muted hover:text-text',
          )}
        >
          <Icon className="size-4" aria-hidden />
          {label}
        </button>
      ))}
    </fieldset>
  );
}
