import { accountZone, browserZone, sameClock, zoneInWords } from '#lib/time/zone.ts';

/** Names the time zone of the days in date fields, if this browser's clock is another one. */
export function ZoneNote({ className = '' }: { className?: string }) {
  const zone = accountZone();
  if (sameClock(new Date().toISOString(), zone, browserZone)) return null;
  return (
    <p className={`text-sm text-muted ${className}`}>
      Days begin and end in {zoneInWords(zone)}, the time zone of your account.
    </p>
  );
}
