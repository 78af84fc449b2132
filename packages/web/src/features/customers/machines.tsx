import { useRef } from 'react';
import type { CustomerDetail } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { ReleaseMachine } from '#widgets/serials/release-machine.tsx';
import { Part } from './part.tsx';

type OwnedMachine = CustomerDetail['machines'][number];

export function Machines({ machines }: { machines: OwnedMachine[] }) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Part
      heading={heading}
      title="Machines"
      what="machines"
      items={machines}
      first={8}
      empty="No plugin has been activated with these serials yet."
    >
      {(shown) => (
        <ul className="divide-y divide-line border-t border-line">
          {shown.map((machine) => (
            <li key={machine.id} className="flex flex-col gap-0.5 px-5 py-3">
              <div className="flex items-center justify-between gap-4">
                {machine.label ? (
                  <span className="min-w-0 truncate font-medium" title={`${machine.label}, ${machine.machine_id}`}>
                    {machine.label}
                  </span>
                ) : (
                  <code className="min-w-0 truncate font-mono text-sm" title={machine.machine_id}>
                    {machine.machine_id}
                  </code>
                )}
                <span className="flex shrink-0 items-center gap-2">
                  <Badge
                    tone={machine.released_at ? 'plain' : 'good'}
                    means={
                      machine.released_at ? 'It holds no seat. The plugin can activate it again.' : 'It holds a seat.'
                    }
                  >
                    {machine.released_at ? 'Released' : 'Active'}
                  </Badge>
                  {machine.released_at ? null : (
                    <ReleaseMachine id={machine.id} name={machine.label ?? machine.machine_id} heading={heading} />
                  )}
                </span>
              </div>
              <div className="flex flex-wrap justify-between gap-x-4 text-sm text-muted">
                <span className="min-w-0 wrap-anywhere">
                  {machine.product_name}
                  {machine.version ? ` ${machine.version}` : ''}
                  {machine.os ? ` · ${machine.os}` : ''}
                </span>
                <span>
                  Last seen <TimeAgo iso={machine.last_seen_at} />
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
