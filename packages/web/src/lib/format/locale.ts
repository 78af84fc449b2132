/**
 * The dashboard is in English and its readers are everywhere: dates are in English words, in the order and with the hours of
 * the reader's country. Numbers and money stay as the server's own sentences and emails write them.
 */
export function datesFor(language: string): { locale: string; hourCycle: Intl.LocaleHourCycleKey | undefined } {
  try {
    const { region } = new Intl.Locale(language).maximize();
    const { hourCycle } = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions();
    const own = `en-${region ?? 'US'}`;
    // countries whose English the browser does not know get that of the world, not the American one
    const known = new Intl.DateTimeFormat(own).resolvedOptions().locale !== 'en';
    return { locale: known ? own : 'en-001', hourCycle };
  } catch {
    return { locale: 'en-US', hourCycle: undefined };
  }
}

const { locale, hourCycle } = datesFor(navigator.language);

export const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, {
    ...options,
    ...(hourCycle && (options.timeStyle || options.hour) ? { hourCycle } : {}),
  });
