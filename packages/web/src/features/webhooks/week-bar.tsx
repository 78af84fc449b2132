import { formatCount } from '#lib/format/format.ts';
import { dateFormat } from '#lib/format/locale.ts';
import type { Webhook } from '#lib/types.ts';
import { cn } from '#ui/cn.ts';

const weekday = dateFormat({ weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Seven days of attempts: what succeeded in green, what failed above it in red. */
export function WeekBar({ days, className }: { days: Webhook['days']; className?: string }) {
  const most = Math.max(1, ...days.map(({ delivered, failed }) => delivered + failed));
  const share = (count: number) => (count === 0 ? 0 : Math.max(10, (count / most) * 100));
  return (
    <div className={cn('w-full max-w-56', className)}>
      <div className="flex h-9 items-end gap-1" aria-hidden>
        {days.map(({ day, delivered, failed }) => (
          <span
            key={day}
            title={`${weekday.format(new Date(day))} (UTC): ${formatCount(delivered)} delivered, ${formatCount(failed)} failed`}
            className="flex h-full flex-1 flex-col justify-end gap-px border-b border-line-strong"
          >
            <span className="rounded-[2px] bg-bad" style={{ height: `${share(failed)}%` }} />
            <span className="rounded-[2px] bg-good" style={{ height: `${share(delivered)}%` }} />
          </span>
        ))}
      </div>
      <div className="sr-only">
        <table>
          <caption>Attempts of the last seven days (UTC)</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Delivered</th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, delivered, failed }) => (
              <tr key={day}>
                <th scope="row">{weekday.format(new Date(day))}</th>
                <td>{formatCount(delivered)}</td>
                <td>{formatCount(failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
