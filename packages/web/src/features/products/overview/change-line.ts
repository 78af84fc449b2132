import { formatCount } from '#lib/format/format.ts';
import { changeOf } from '#ui/figures/change.tsx';

/** `12 more than yesterday`; with a share where the time before is large enough for one. */
export function changeLine(now: number, before: number, than: string): string {
  if (now === before) return now === 0 ? `None, as ${than}` : `As many as ${than}`;
  const difference = `${formatCount(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'} than ${than}`;
  return before < 10 ? difference : `${difference} (${changeOf(now, before)})`;
}
