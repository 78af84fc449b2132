import { z } from 'zod';
import { oneLine } from '#platform/http/input/control-characters.ts';

export const NO_TIME_ZONE = 'Enter a time zone such as Europe/Berlin.';

export const line = (max: number) => oneLine().min(1, 'Required.').max(max);

export const TimeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, NO_TIME_ZONE)
  .describe('An IANA time zone such as `Europe/Berlin`, in which the account’s dates and days are.');

function isTimeZone(name: string): boolean {
  // an offset such as +02:00 has no daylight saving time, and is not the name of a zone
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
