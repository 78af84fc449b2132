import { UsageError } from '#exit.ts';
import { secondsOf } from '../keys/duration.ts';

export const WHICH = [['<webhook>', 'its id, as "tonerow webhooks list" shows it']] as const;

/** `serial.redeemed,stock.low` as the API takes it. */
export function eventsOf<Name extends string>(text: string): Name[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '') as Name[];
}

/** A date, which the server reads in the account's time zone, or a time ago such as `2h`. */
export function momentOf(text: string, flag: string): string {
  if (/^\d+[smhd]$/.test(text)) return new Date(Date.now() - secondsOf(text, flag) * 1000).toISOString();
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/.test(text))
    throw new UsageError(`${flag} takes a date, a moment, or a time ago such as 2h.`);
  return text;
}
