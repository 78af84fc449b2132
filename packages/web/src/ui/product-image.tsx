import { useState } from 'react';
import { initialsOf } from '#lib/format/initials.ts';
import { cn } from './cn.ts';

interface ProductImageProps {
  src: string | null | undefined;
  name: string;
  /** Spells out `No Image Found` where there is room for it. */
  large?: boolean;
  className?: string;
}

export function ProductImage({ src, name, large = false, className }: ProductImageProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (src && broken !== src) {
    return (
      <img
        src={src}
        alt=""
        loading="lazy"
        onError={() => setBroken(src)}
        className={cn('bg-sunken object-cover', className)}
      />
    );
  }
  return (
    <div className={cn('grid place-items-center bg-sunken text-faint', className)}>
      {large ? (
        <span className="flex flex-col items-center gap-1">
          <span className="text-2xl leading-none font-semibold tracking-[-0.04em] text-muted" aria-hidden>
            {initials(name)}
          </span>
          <span className="text-xs">No Image Found</span>
        </span>
      ) : (
        <span className="text-xs font-semibold text-muted" aria-hidden>
          {initials(name)}
        </span>
      )}
    </div>
  );
}

function initials(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/);
  return initialsOf(first, second ?? Array.from(first).slice(1).join(''));
}
