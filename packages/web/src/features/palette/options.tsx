import { useEffect, useRef } from 'react';
import { Key } from '#ui/buttons/key.tsx';
import { cn } from '#ui/cn.ts';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import type { Entry } from './entries.ts';

export interface Section {
  title: string;
  entries: Entry[];
}

interface OptionsProps {
  listId: string;
  sections: Section[];
  current: number;
  onActive: (index: number) => void;
  onChoose: (index: number) => void;
}

/** The list under the palette's field. The field keeps the focus and names the active line. */
export function Options({ listId, sections, current, onActive, onChoose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active line is looked up in the page, which changes with both
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [current, sections]);
  let index = -1;
  return (
    <div
      ref={list}
      id={listId}
      role="listbox"
      aria-label="Results"
      tabIndex={-1}
      className={cn(
        'max-h-[min(26rem,60dvh)] min-h-0 overflow-y-auto overscroll-contain',
        sections.length > 0 && 'p-2',
      )}
    >
      {sections.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a list of options.
        <div key={title} role="group" aria-labelledby={`${listId}-${title}`}>
          <div id={`${listId}-${title}`} className="px-2.5 pt-2.5 pb-1 text-xs font-medium text-muted">
            {title}
          </div>
          {entries.map((entry) => {
            index += 1;
            const own = index;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option.
              <div
                key={entry.key}
                id={`${listId}-${own}`}
                role="option"
                aria-selected={own === current}
                data-active={own === current || undefined}
                onPointerMove={() => (own === current ? undefined : onActive(own))}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => onChoose(own)}
                className="flex min-h-10 scroll-my-2 cursor-default items-center gap-3 rounded-md px-2.5 py-1.5 select-none data-active:bg-accent-soft"
              >
                <entry.icon
                  className={cn('size-4 shrink-0', own === current ? 'text-accent-text' : 'text-muted')}
                  aria-hidden
                />
                <Words entry={entry} />
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function Words({ entry: { label, detail, code, g } }: { entry: Entry }) {
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
      {/* a name from the right is cut at its end, which is on the left */}
      <span dir="auto" className="min-w-0 truncate">
        {code ? <SerialCode code={label} /> : label}
      </span>
      <span className="flex min-w-0 items-center gap-3">
        {detail ? (
          <span dir="auto" className="min-w-0 truncate text-sm text-muted">
            {detail}
          </span>
        ) : null}
        {g ? (
          <span className="hidden gap-1 sm:flex pointer-coarse:hidden" aria-hidden>
            <Key>g</Key>
            <Key>{g}</Key>
          </span>
        ) : null}
      </span>
    </span>
  );
}
