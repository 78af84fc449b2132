import { useMemo, useState } from 'react';
import { fold } from '#lib/format/fold.ts';
import { browserZone } from '#lib/time/zone.ts';
import { Combobox } from './combobox.tsx';
import { Field } from './field.tsx';

interface TimeZoneFieldProps {
  value: string;
  onChange: (zone: string) => void;
  hint: string;
  error?: string | undefined;
  className?: string;
}

const shownAtMost = 60;

/** Picks a time zone by city or region. */
export function TimeZoneField({ value, onChange, hint, error, className }: TimeZoneFieldProps) {
  const [search, setSearch] = useState('');
  const zones = useMemo(
    () => [...new Set([value, browserZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])],
    [value],
  );
  const words = plain(search).split(' ').filter(Boolean);
  const found = zones.filter((zone) => words.every((word) => plain(zone).includes(word)));
  return (
    <Field label="Time zone" hint={hint} error={error} className={className}>
      {(control) => (
        <Combobox
          {...control}
          items={found.slice(0, shownAtMost)}
          value={value}
          onChange={onChange}
          onSearch={setSearch}
          itemKey={(zone) => zone}
          itemLabel={(zone) => zone.replaceAll('_', ' ')}
          itemDetail={offsetOf}
          placeholder="Search for a city or region"
          empty="No time zone has this name. Try the largest city near you."
        />
      )}
    </Field>
  );
}

function plain(text: string): string {
  return fold(text).replaceAll(/[_/]/g, ' ');
}

const offsets = new Map<string, string>();

/** `GMT+2`, as it is today. */
function offsetOf(zone: string): string {
  const known = offsets.get(zone);
  if (known !== undefined) return known;
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts();
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  offsets.set(zone, offset);
  return offset;
}
