import { useQuery } from '@tanstack/react-query';
import { ChartPanel } from '#charts/chart-panel.tsx';
import { formatCount, plural } from '#lib/format/format.ts';
import { Select } from '#ui/forms/select.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { versionsCsv, versionsQuery } from './reports-query.ts';
import { nameOf, versionsBySystem } from './series.ts';
import { defaultSeen, type SeenDays, seenDays } from './view.ts';

const words: Record<SeenDays, string> = {
  7: 'Seen in 7 days',
  30: 'Seen in 30 days',
  90: 'Seen in 90 days',
  365: 'Seen in a year',
};

interface VersionsBySystemProps {
  product: string;
  seen: SeenDays;
  onSeen: (seen: SeenDays) => void;
}

/** Shows which versions still run, and on which systems. A developer needs that before ending support for either. */
export function VersionsBySystem({ product, seen, onSeen }: VersionsBySystemProps) {
  const report = useQuery(versionsQuery(product, seen));
  const { data } = report;
  const [first] = data?.versions ?? [];
  return (
    <div className="mt-4 flex flex-col gap-2">
      <Select
        aria-label="Activations seen within"
        value={seen}
        onChange={(event) => onSeen(seenDays.find((each) => each === Number(event.target.value)) ?? defaultSeen)}
        className="w-full sm:w-48 print:hidden"
      >
        {seenDays.map((each) => (
          <option key={each} value={each}>
            {words[each]}
          </option>
        ))}
      </Select>
      {report.isError ? (
        <Panel>
          <Failed
            title="Activations by version and system couldn't be loaded"
            error={report.error}
            retry={report.refetch}
            retrying={report.isFetching}
          />
        </Panel>
      ) : (
        <ChartPanel
          title="Activations by version and system"
          kind="shares"
          data={data && versionsBySystem(data)}
          figure={data && plural(data.activations, 'activation')}
          hint={data && `${words[seen].toLowerCase()} (UTC) · ${plural(data.versions.length, 'version')}`}
          label={
            first && data
              ? `Activations by version and system. Version ${nameOf(first.version)} has the most, ${formatCount(first.count)} of ${formatCount(data.activations)}.`
              : ''
          }
          empty={data?.activations === 0 ? 'No activation was seen in this time.' : undefined}
          csv={{ file: 'versions.csv', stream: () => versionsCsv(product, seen) }}
        />
      )}
    </div>
  );
}
