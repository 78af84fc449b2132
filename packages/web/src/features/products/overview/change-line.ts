import { formatCount } from '../../../lib/format.ts';

/** `12 more than yesterday`; with a share where the time before is large enough for one. */
export function changeLine(now: number, before: number, than: string): string {
  if (now === before) return now === 0 ? `None, as ${than}` : `As many as ${than}`;
  const difference = `${formatCount(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'} than ${than}`;
  if (before < 10) return difference;
  const percent = Math.round(((now - before) / before) * 100);
  return `${difference} (${percent > 0 ? '+' : ''}${formatCount(percent)}%)`;
}
