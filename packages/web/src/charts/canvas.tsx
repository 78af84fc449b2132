import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
} from 'chart.js';
import { useEffect, useRef, useState } from 'react';
import { useTheme } from '#lib/theme.ts';
import { configOf } from './config.ts';
import { readPalette } from './palette.ts';
import { ChartTooltip, type Spot } from './tooltip.tsx';
import { type ChartData, type ChartKind, isHorizontal } from './types.ts';

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
);

/** A resize is drawn a moment later, when the drawing may be gone. */
class Drawing extends Chart<'line' | 'bar', number[], string | string[]> {
  override update(mode?: Parameters<Chart['update']>[0]): void {
    // a destroyed chart has no canvas left
    if (this.canvas) super.update(mode);
  }
}

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The drawing itself; with chart.js it is a chunk of its own, fetched where a chart is shown. */
export function ChartCanvas({ kind, data, label }: { kind: ChartKind; data: ChartData; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [spot, setSpot] = useState<Spot | null>(null);
  const { theme } = useTheme();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the palette follows the theme
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    setSpot(null);
    const narrow = element.clientWidth < 480;
    const config = configOf(kind, data, readPalette(), { narrow, still: still() });
    const watch = {
      id: 'spot',
      afterEvent(drawn: Chart) {
        const active = drawn.getActiveElements()[0];
        setSpot((before) => {
          if (!active) return null;
          if (before?.index === active.index) return before;
          return { index: active.index, x: active.element.x, y: active.element.y };
        });
      },
    };
    const made = new Drawing(element, { ...config, plugins: [...(config.plugins ?? []), watch] });
    return () => made.destroy();
  }, [kind, data, theme]);

  return (
    <div className="relative size-full">
      <canvas ref={canvas} role="img" aria-label={label} />
      {spot ? (
        <ChartTooltip spot={spot} data={data} width={canvas.current?.clientWidth ?? 0} below={isHorizontal(kind)} />
      ) : null}
    </div>
  );
}
