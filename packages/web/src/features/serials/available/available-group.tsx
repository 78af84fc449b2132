import { ChevronRight } from 'lucide-react';
import { lazy, Suspense, useEffect, useId, useState } from 'react';
import { api } from '#lib/api.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import type { Serial } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Loading } from '#ui/mark.tsx';
import { ProductImage } from '#ui/product-image.tsx';
import { useSave } from '#widgets/lists/use-save.ts';
import { AvailableSerial } from './available-serial.tsx';
import { DeleteGroup } from './delete-group.tsx';
import { type GroupRef, groupInput } from './group-name.ts';

// The virtual list needs a library that small groups don't.
const GroupSerials = lazy(() => import('./group-serials.tsx').then((module) => ({ default: module.GroupSerials })));

interface AvailableGroupProps extends GroupRef {
  /** Its product, when another group has the same name. */
  of: string | null;
  count: number;
  serials: Serial[];
  /** A search or dates hide some of the group. */
  filtered: boolean;
  /** Whether the group starts open, as after a search, to show the matches. */
  open: boolean;
}

export function AvailableGroup({ of, count, serials, filtered, open, ...group }: AvailableGroupProps) {
  const { name } = group;
  const [shown, setShown] = useState(open);
  const id = useId();
  useEffect(() => setShown(open), [open]);
  const save = useSave(`${name.replace(/[^\p{L}\p{N}]+/gu, '_')}_serials.csv`, () =>
    api.stream.listSerialGroup(groupInput(group), { accept: 'text/csv' }),
  );
  return (
    <div>
      <div className="flex flex-wrap items-center transition-colors hover:bg-canvas">
        <h3 className="min-w-0 grow basis-72">
          <button
            type="button"
            aria-expanded={shown}
            aria-controls={id}
            onClick={() => setShown(!shown)}
            className="flex min-h-[68px] w-full items-center gap-3 px-5 py-3 text-left focus-visible:-outline-offset-2"
          >
            <ChevronRight
              className={cn('size-4 shrink-0 text-muted transition-transform', shown && 'rotate-90')}
              aria-hidden
            />
            <ProductImage src={serials[0]?.image_url} name={name} className="size-9 shrink-0 rounded-sm" />
            <span className="min-w-0 flex-1 font-medium wrap-anywhere">
              {name}
              {of ? <span className="block text-sm font-normal text-muted">of {of}</span> : null}
            </span>
            <span className="figures text-sm font-normal whitespace-nowrap text-muted">{plural(count, 'serial')}</span>
          </button>
        </h3>
        <div className="ml-auto flex gap-1 px-3 max-sm:pb-3">
          <Button size="sm" variant="ghost" busy={save.isPending} onClick={() => save.mutate()}>
            Export Group<span className="sr-only"> {name}</span>
          </Button>
          <DeleteGroup {...group} of={of} />
        </div>
      </div>
      <div id={id} hidden={!shown} className="border-t border-line bg-canvas">
        {/* a hundred closed groups would be thousands of rows that nobody sees */}
        {!shown ? null : count > serials.length && !filtered ? (
          <Suspense fallback={<Loading />}>
            <GroupSerials {...group} />
          </Suspense>
        ) : (
          <ul className="grid grid-cols-1 lg:grid-cols-2">
            {serials.map((serial) => (
              <li
                key={serial.id}
                className="flex min-h-[52px] items-center justify-between gap-3 border-b border-line px-5 py-2 lg:odd:border-r"
              >
                <AvailableSerial serial={serial} />
              </li>
            ))}
          </ul>
        )}
        {count > serials.length && filtered ? (
          <p className="figures px-5 py-3 text-sm text-muted">
            The newest {serials.length} of {formatCount(count)} are shown. Narrow the search to find the others.
          </p>
        ) : null}
      </div>
    </div>
  );
}
