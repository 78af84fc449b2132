import { useLocation, useNavigate } from '@tanstack/react-router';
import { Fragment, type RefObject, useEffect, useRef, useState } from 'react';
import { plural } from '#lib/format/format.ts';
import { useOlder } from '#lib/lists/use-older.ts';
import type { SerialDetail } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { ReleaseMachine } from '#widgets/serials/release-machine.tsx';
import { factsOf, type Machine, when } from './machine-facts.tsx';
import { SeatsEdit } from './seats-edit.tsx';

const nameOf = (row: Machine) => row.label ?? row.machine_id;

type Heading = RefObject<HTMLHeadingElement | null>;

const columns = (heading: Heading): Column<Machine>[] => [
  {
    key: 'machine',
    header: 'Machine',
    cell: (row) => (
      <div className="max-w-52 text-sm">
        <span className="block truncate" title={row.machine_id}>
          {row.label ?? <code className="font-mono">{row.machine_id}</code>}
        </span>
        {row.os ? (
          <span className="block truncate text-muted" title={row.os}>
            {row.os}
          </span>
        ) : null}
      </div>
    ),
  },
  { key: 'version', header: 'Version', cell: (row) => <span className="figures text-sm">{row.version ?? '–'}</span> },
  { key: 'activated', header: 'Activated', cell: (row) => when(row.created_at) },
  { key: 'seen', header: 'Last seen', cell: (row) => when(row.last_seen_at) },
  {
    key: 'release',
    header: 'Seat',
    className: 'text-right',
    cell: (row) =>
      row.released_at ? (
        <span className="text-sm text-muted">
          Released <TimeAgo iso={row.released_at} />
        </span>
      ) : (
        <ReleaseMachine id={row.id} name={nameOf(row)} heading={heading} />
      ),
  },
];

export function SerialMachines({ serial }: { serial: SerialDetail }) {
  const { id, machines_cursor: from } = serial;
  const older = useOlder('listSerialMachines', { path: { id } }, from);
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const edited = useRef(false);
  useEffect(() => {
    // the form replaced the focused button
    if (!editing && edited.current) edit.current?.focus();
    edited.current = editing;
  }, [editing]);
  // where the buttons beside the state lead
  useEffect(() => {
    if (hash !== 'seats' && hash !== 'machines') return;
    if (hash === 'seats') setEditing(true);
    else heading.current?.focus();
    heading.current?.scrollIntoView({ block: 'center' });
    // the same button has to lead here again
    navigate({ to: '.', search: true, hash: '', replace: true, resetScroll: false });
  }, [hash, navigate]);
  return (
    <section>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4">
        <h2 ref={heading} tabIndex={-1} className="rounded-sm font-semibold">
          Machines
        </h2>
        <div className="flex items-center gap-3">
          <p className="figures text-sm text-muted">
            {serial.seats_used} of {plural(serial.max_activations, 'seat')} used
          </p>
          {editing ? null : (
            <Button ref={edit} size="sm" onClick={() => setEditing(true)}>
              Edit seats
            </Button>
          )}
        </div>
      </div>
      {editing ? <SeatsEdit serial={serial} onDone={() => setEditing(false)} /> : null}
      <Panel className="overflow-hidden">
        {serial.machines.length > 0 ? (
          <DataTable
            caption="Machines"
            columns={columns(heading)}
            rows={[...serial.machines, ...older.rows]}
            rowKey={(row) => row.id}
            card={(row) => <MachineCard row={row} heading={heading} />}
          />
        ) : (
          <p className="px-5 py-6 text-sm text-muted">
            No plugin has been activated with this serial yet. Each machine appears here, and takes one seat.
          </p>
        )}
        {older.list.hasNextPage ? (
          <div className="border-t border-line px-5 py-3">
            <ShowMore list={older.list} />
          </div>
        ) : null}
      </Panel>
    </section>
  );
}

function MachineCard({ row, heading }: { row: Machine; heading: Heading }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate text-sm" title={row.machine_id}>
          {row.label ?? <code className="font-mono">{row.machine_id}</code>}
        </span>
        <span className="figures shrink-0">{row.version}</span>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-sm text-muted [&>dd]:text-right">
        {factsOf(row).map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      <div className="flex justify-end empty:hidden">
        {row.released_at ? null : <ReleaseMachine id={row.id} name={nameOf(row)} heading={heading} />}
      </div>
    </div>
  );
}
