import { useQuery } from '@tanstack/react-query';
import { ChartPanel } from '#charts/chart-panel.tsx';
import { overTime, paces, peakOf, stepOf } from '#charts/over-time.ts';
import type { ChartColumn, ChartData } from '#charts/types.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import { daysBetween, type Period, plusDays } from '#lib/time/period.ts';
import type { PluginKeyReport } from '#lib/types.ts';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { keyUseCsv, keyUseQuery } from './reports-query.ts';

const count = (name: string): ChartColumn => ({ name, format: formatCount, whole: true });
const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

/** Calls of plugins by the key that they carry, and how many of them were refused. */
export function KeyUse({ period }: { period: Period }) {
  const use = useQuery(keyUseQuery(period));
  const { data } = use;
  if (use.isError) {
    return (
      <Panel>
        <Failed
          title="The use of plugin keys couldn't be loaded"
          error={use.error}
          retry={use.refetch}
          retrying={use.isFetching}
        />
      </Panel>
    );
  }
  const calls = total((data?.keys ?? []).flatMap((key) => key.calls));
  const refused = total((data?.keys ?? []).flatMap((key) => key.refused));
  const over = data && callsOf(data);
  const pace = paces[stepOf(daysBetween(period))];
  const none = calls === 0 ? 'No plugin called in this period.' : undefined;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <ChartPanel
        title="Calls of plugins"
        kind="columns"
        data={over}
        figure={formatCount(calls)}
        hint={`${formatCount(refused)} refused · ${pace}`}
        label={over ? `Calls of plugins ${pace}. ${peakOf(over)}` : ''}
        empty={none}
        csv={{ file: 'plugin-keys.csv', stream: () => keyUseCsv(period) }}
      />
      <ChartPanel
        title="Calls by plugin key"
        kind="bars"
        data={data && keysOf(data)}
        figure={plural(data?.keys.length ?? 0, 'key')}
        label={
          data?.keys[0]
            ? `Calls by plugin key. ${labelOf(data.keys[0])} has the most, ${formatCount(total(data.keys[0].calls))}.`
            : ''
        }
        empty={none}
      />
    </div>
  );
}

const labelOf = ({ label, is_test }: PluginKeyReport['keys'][number]) =>
  `${label ?? 'Deleted key'}${is_test ? ' (test)' : ''}`;

const keysOf = ({ keys }: PluginKeyReport): ChartData => ({
  axis: 'Plugin key',
  columns: [count('Calls'), count('Refused')],
  points: keys.map((key) => ({
    label: labelOf(key),
    title: labelOf(key),
    values: [total(key.calls), total(key.refused)],
  })),
});

function callsOf({ keys, startDate, endDate }: PluginKeyReport): ChartData {
  const length = daysBetween({ from: startDate, to: endDate });
  const days = Array.from({ length }, (_, index) => plusDays(startDate, index));
  const at = new Map(days.map((day, index) => [day, index]));
  const sum = (bucket: string[], of: 'calls' | 'refused') =>
    total(bucket.flatMap((day) => keys.map((key) => key[of][at.get(day) ?? -1] ?? 0)));
  return overTime(days, [count('Calls'), count('Refused')], (bucket) => [sum(bucket, 'calls'), sum(bucket, 'refused')]);
}
