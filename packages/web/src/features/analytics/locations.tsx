import { useQuery } from '@tanstack/react-query';
import { toCsv } from '@tonerow/sdk/csv';
import { Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { saveFile } from '#lib/files/download.ts';
import { countryName } from '#lib/format/country.ts';
import { formatCount } from '#lib/format/format.ts';
import type { Analytics } from '#lib/types.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { everywhereQuery } from './analytics-query.ts';
import type { AnalyticsView } from './view.ts';

interface LocationsProps {
  period: Analytics['customerGeo'] | undefined;
  view: AnalyticsView;
  onView: (change: Partial<AnalyticsView>) => void;
}

const firstRows = 8;
const WorldMap = lazy(() => import('./world-map.tsx'));
const mapRoom = <span className="skeleton mx-5 mb-4 block aspect-[1600/734]" />;

export function Locations({ period, view, onView }: LocationsProps) {
  const everywhere = view.locations === 'all';
  const ever = useQuery({ ...everywhereQuery(view), enabled: everywhere });
  const rows = everywhere ? ever.data : period;
  return (
    <Panel className="overflow-hidden print:break-inside-avoid">
      <div className="flex items-center justify-between gap-3 px-5 pt-4 pb-2">
        <h3 id="customer-locations" className="text-sm font-medium text-muted">
          Customer Locations
        </h3>
        <fieldset className="-mr-1.5 flex print:hidden" aria-label="Locations of">
          {(['period', 'all'] as const).map((locations) => (
            <button
              key={locations}
              type="button"
              aria-pressed={view.locations === locations}
              onClick={() => onView({ locations })}
              className="h-7 rounded-sm px-2 text-xs font-medium text-muted hover:text-text aria-pressed:bg-hover aria-pressed:text-text"
            >
              {locations === 'all' ? 'All time' : 'Period'}
            </button>
          ))}
          {rows ? (
            <IconButton
              label="Save customer locations as CSV"
              onClick={() =>
                saveFile('customer-locations.csv', [
                  toCsv(
                    ['Country', 'Code', 'Redemptions'],
                    rows.map(({ country, count }) => [countryName(country), country, count]),
                  ),
                ])
              }
            >
              <Download aria-hidden />
            </IconButton>
          ) : null}
        </fieldset>
      </div>
      {everywhere && ever.isError ? (
        <Failed
          title="Locations couldn't be loaded"
          error={ever.error}
          retry={ever.refetch}
          retrying={ever.isFetching}
          className="py-8"
        />
      ) : (
        <>
          {rows ? (
            <Suspense fallback={mapRoom}>
              <WorldMap rows={rows} chosen={view.country} onChoose={(country) => onView({ country })} />
            </Suspense>
          ) : (
            mapRoom
          )}
          <CountryList rows={rows} />
        </>
      )}
    </Panel>
  );
}

function CountryList({ rows }: { rows: Analytics['customerGeo'] | undefined }) {
  const [all, setAll] = useState(false);
  if (!rows) {
    return (
      <div className="flex flex-col gap-5 px-5 pt-3 pb-6">
        {['80%', '55%', '40%'].map((width) => (
          <span key={width} className="skeleton h-4" style={{ width }} />
        ))}
      </div>
    );
  }
  const sorted = rows.toSorted((a, b) => b.count - a.count);
  const most = sorted[0]?.count ?? 1;
  const shown = all ? sorted : sorted.slice(0, firstRows);
  return (
    <>
      <ul aria-labelledby="customer-locations" className="flex flex-col gap-3.5 px-5 pt-2 pb-5">
        {shown.map(({ country, count }) => (
          <li key={country ?? ''}>
            <div className="flex justify-between gap-4">
              <span className={cn('truncate', !country && 'text-muted')}>{countryName(country)}</span>
              <span className="figures">{formatCount(count)}</span>
            </div>
            <div className="mt-1 h-1 rounded-full bg-hover" aria-hidden>
              <div
                className={cn('h-full min-w-1 rounded-full', country ? 'bg-accent' : 'bg-control-line')}
                style={{ width: `${(count / most) * 100}%` }}
              />
            </div>
          </li>
        ))}
      </ul>
      {sorted.length > shown.length ? (
        <div className="border-t border-line px-5 py-3">
          <Button size="sm" onClick={() => setAll(true)}>
            Show all {formatCount(sorted.length)} countries
          </Button>
        </div>
      ) : null}
    </>
  );
}
