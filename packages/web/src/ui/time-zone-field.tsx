import { useMemo, useState } from 'react';
import { fold } from '../../lib/fold.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Field } from '../../ui/field.tsx';

interface TimeZoneFieldProps {
  value: string;
  onChange: (zone: string) => void;
  changed: boolean;
  error?: string | undefined;
}

const shownAtMost = 60;
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function TimeZoneField({ value, onChange, changed, error }: TimeZoneFieldProps) {
  const [search, setSearch] = useState('');
  const zones = useMemo(() => [...new Set([value, here, 'UTC', ...Intl.supportedValuesOf('timeZone')])], [value]);
  const words = plain(search).split(' ').filter(Boolean);
  const found = zones.filter((zone) => words.every((word) => plain(zone).includes(word)));
  return (
    <Field
      label="Time zone"
      hint={
        changed
          ? 'When you save, past figures are recalculated for this time zone. That can take a moment.'
          : 'Days in your analytics start at midnight in this time zone; months of bills and payouts are in UTC. Changing it recalculates past figures.'
      }
      error={error}
    >
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
