import { useId, useState } from 'react';
import { countryName } from '#lib/format/country.ts';
import { formatCount } from '#lib/format/format.ts';
import { cn } from '#ui/cn.ts';
import world from './world.json';

interface World {
  box: string;
  /** Outlines by country. */
  shapes: Record<string, string>;
  /** `x y` of countries that are too small for an outline. */
  dots: Record<string, string>;
}

const outlines: World = world;

interface WorldMapProps {
  rows: { country: string | null; count: number }[];
  /** The country that the screen is filtered by. */
  chosen: string;
  onChoose: (country: string) => void;
}

/**
 * The map and its outlines are a chunk of their own. Countries are shaded by the number of redemptions, and those with
 * figures can be chosen. The list beside the map has the same figures in words.
 */
export default function WorldMap({ rows, chosen, onChoose }: WorldMapProps) {
  const [spot, setSpot] = useState('');
  const title = useId();
  const counts = new Map(rows.flatMap(({ country, count }) => (country ? [[country, count] as const] : [])));
  const most = Math.max(1, ...counts.values());
  const parts = [
    ...Object.entries(outlines.shapes).map(([code, d]) => ({ code, shape: d, dot: null })),
    ...Object.entries(outlines.dots).flatMap(([code, dot]) => (counts.has(code) ? [{ code, shape: null, dot }] : [])),
  ];
  // the ones that take the keyboard in the order of the list
  const ranked = parts.toSorted((a, b) => (counts.get(a.code) ?? 0) - (counts.get(b.code) ?? 0));
  const label = (code: string) => `${countryName(code)}: ${formatCount(counts.get(code) ?? 0)}`;
  return (
    <figure className="px-3 pb-3" onPointerLeave={() => setSpot('')}>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing of buttons, not a form */}
      <svg
        viewBox={outlines.box}
        className="w-full print:[print-color-adjust:exact]"
        role="group"
        aria-labelledby={title}
      >
        <title id={title}>Redemptions by country</title>
        {ranked.map(({ code, shape, dot }) => {
          const count = counts.get(code) ?? 0;
          const look = {
            fill:
              count > 0
                ? `color-mix(in oklab, var(--chart-1) ${Math.round(28 + 72 * Math.sqrt(count / most))}%, var(--surface))`
                : 'var(--line)',
            stroke: chosen === code ? 'var(--text)' : 'var(--surface)',
            strokeWidth: chosen === code ? 5 : 1.5,
          };
          const [cx, cy] = (dot ?? '').split(' ');
          const draw = shape ? <path d={shape} {...look} /> : <circle cx={cx} cy={cy} r={8} {...look} />;
          if (count === 0) return <g key={code}>{draw}</g>;
          const choose = () => onChoose(chosen === code ? '' : code);
          return (
            // biome-ignore lint/a11y/useSemanticElements: SVG has no button of its own
            <g
              key={code}
              role="button"
              tabIndex={0}
              aria-pressed={chosen === code}
              aria-label={label(code)}
              className={cn(
                'cursor-pointer outline-none focus-visible:[&>*]:stroke-(--text) focus-visible:[&>*]:stroke-[6]',
                'hover:[&>*]:stroke-(--text)',
              )}
              onClick={choose}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' && event.key !== ' ') return;
                event.preventDefault();
                choose();
              }}
              onPointerEnter={() => setSpot(code)}
              onFocus={() => setSpot(code)}
              onBlur={() => setSpot('')}
            >
              {draw}
            </g>
          );
        })}
      </svg>
      <figcaption className="figures min-h-5 px-2 text-xs text-muted print:hidden" aria-hidden>
        {spot ? label(spot) : 'Choose a country to see only its figures.'}
      </figcaption>
    </figure>
  );
}
