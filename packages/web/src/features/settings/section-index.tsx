import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { cn } from '#ui/cn.ts';

interface IndexEntry {
  id: string;
  title: string;
}

/** The current section of a long page, with links to the others. Shown only where there is room beside them. */
export function SectionIndex({ entries }: { entries: IndexEntry[] }) {
  const current = useCurrentSection(entries);
  return (
    <nav
      aria-label="Sections"
      className={cn('sticky top-[88px] hidden self-start lg:block', entries.length < 2 && 'invisible')}
    >
      <ul className="flex flex-col gap-0.5 border-l border-line">
        {entries.map(({ id, title }) => (
          <li key={id}>
            <Link
              to="."
              hash={id}
              replace
              aria-current={id === current ? 'location' : undefined}
              className={cn(
                '-ml-px block border-l py-1 pr-2 pl-3.5 text-sm transition-colors hover:text-text',
                id === current ? 'border-accent font-medium text-text' : 'border-transparent text-muted',
              )}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The last section whose top has passed under the header. */
function useCurrentSection(entries: IndexEntry[]): string | undefined {
  const [current, setCurrent] = useState(entries[0]?.id);
  useEffect(() => {
    const look = () => {
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const passed = entries.filter(
        ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < 200,
      );
      setCurrent((atEnd && window.scrollY > 0 ? entries.at(-1) : (passed.at(-1) ?? entries[0]))?.id);
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [entries]);
  return current;
}

/** Keeps the section from the URL in place while content above it loads, until the person scrolls. */
export function useAnchor() {
  const { hash } = useLocation();
  useEffect(() => {
    const target = hash ? document.getElementById(hash) : null;
    const page = document.getElementById('content');
    if (!target || !page) return;
    // above the first section of a part are its title and the other parts
    const align = () =>
      target.previousElementSibling ? target.scrollIntoView({ block: 'start' }) : window.scrollTo({ top: 0 });
    align();
    const observer = new ResizeObserver(align);
    observer.observe(page);
    const stop = () => observer.disconnect();
    const moves = ['wheel', 'touchmove', 'keydown', 'pointerdown'];
    for (const move of moves) window.addEventListener(move, stop, { once: true, passive: true });
    const timer = setTimeout(stop, 3000);
    return () => {
      stop();
      clearTimeout(timer);
      for (const move of moves) window.removeEventListener(move, stop);
    };
  }, [hash]);
}
