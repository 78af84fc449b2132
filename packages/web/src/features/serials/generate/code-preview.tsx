import { Fragment } from 'react';
import { cn } from '#ui/cn.ts';

/** Previews a code: the prefix as typed, then twelve cells that the server fills. */
export function CodePreview({ prefix }: { prefix: string }) {
  const cells = prefix.padEnd(4, ' ').split('');
  return (
    <div>
      <p className="text-sm font-medium" id="code-preview">
        Preview
      </p>
      <div
        role="img"
        aria-label={
          prefix
            ? `Codes begin with ${prefix}, then three blocks of four characters.`
            : 'Four blocks of four characters.'
        }
        className="mt-1.5 flex items-center gap-1.5 overflow-hidden rounded-md border border-line bg-sunken px-3 py-4 sm:gap-2.5 sm:px-5 md:gap-1.5 md:px-3 xl:gap-2.5 xl:px-5"
      >
        {[0, 1, 2, 3].map((block) => (
          <Fragment key={block}>
            {block > 0 ? <span className="text-faint">-</span> : null}
            <span className="flex gap-[3px] sm:gap-1">
              {[0, 1, 2, 3].map((cell) => {
                const letter = block === 0 ? cells[cell]?.trim() : '';
                return (
                  <span
                    key={cell}
                    className={cn(
                      'grid h-6 w-3.5 place-items-center rounded-[4px] font-mono text-sm font-medium sm:h-9 sm:w-7 sm:rounded-sm md:w-5 xl:w-7 sm:text-md',
                      letter ? 'bg-accent text-on-accent' : 'border border-line-strong bg-surface',
                    )}
                  >
                    {letter}
                  </span>
                );
              })}
            </span>
          </Fragment>
        ))}
      </div>
    </div>
  );
}
