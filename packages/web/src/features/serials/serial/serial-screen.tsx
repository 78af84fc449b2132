import { useQuery } from '@tanstack/react-query';
import { isStatus } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import { serialQuery } from '#lib/queries/serials.ts';
import type { SerialDetail } from '#lib/types.ts';
import { LinkButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Panel } from '#ui/page.tsx';
import { SerialBadge } from '#ui/serials/serial-badge.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { Failed } from '#ui/states.tsx';
import { RecordBar } from '#widgets/lists/record-bar.tsx';
import { StandingLines } from '#widgets/serials/standing-lines.tsx';
import { Missing } from '../missing.tsx';
import { RevokeToggle } from '../revoke-toggle.tsx';
import { ChangeOwner } from './change-owner.tsx';
import { RefundActions } from './refund-actions.tsx';
import { Refunds } from './refunds.tsx';
import { ResendEmail } from './resend-email.tsx';
import { SerialFacts } from './serial-facts.tsx';
import { SerialHistory } from './serial-history.tsx';
import { SerialMachines } from './serial-machines.tsx';

export function SerialScreen({ id }: { id: string }) {
  const serial = useQuery(serialQuery(id));
  useTitle(serial.data ? `Serial ${serial.data.code}` : 'Serial');
  return (
    <>
      <RecordBar kind="serials" id={id} list={{ to: '/dashboard/serials' }} back="Serials" />
      {serial.data ? (
        <Whole serial={serial.data} />
      ) : isStatus(serial.error, 404) || isStatus(serial.error, 400) ? (
        <Missing title="Serial not found">It may have been deleted with its group, or the link is incomplete.</Missing>
      ) : serial.isError ? (
        <Panel>
          <Failed
            heading="h1"
            title="This serial couldn't be loaded"
            error={serial.error}
            retry={serial.refetch}
            retrying={serial.isFetching}
          />
        </Panel>
      ) : (
        <Skeleton />
      )}
    </>
  );
}

function Whole({ serial }: { serial: SerialDetail }) {
  return (
    <>
      <header className="mb-5">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
          <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
            {/* where a badge beside it nearly fits, the arriving font must not move it */}
            <h1 className="min-w-0 overflow-x-auto sm:max-lg:basis-full">
              <SerialCode code={serial.code} className="text-lg sm:text-2xl sm:tracking-[0.01em]" />
            </h1>
            <SerialBadge standing={serial.standing} />
          </div>
          <div className="flex flex-wrap gap-2">
            <CopyButton text={serial.code} what={serial.code} className="h-9" />
            <CopyButton text={serial.redeem_link} label="Copy redeem link" className="h-9" />
            <ResendEmail serial={serial} />
            <ChangeOwner serial={serial} />
            <RefundActions serial={serial} />
          </div>
        </div>
      </header>
      <StandingLines
        standing={serial.standing}
        subject="serial"
        own={{
          reassign: <RevokeToggle serial={serial} />,
          extend_batch: (
            <LinkButton size="sm" to="/dashboard/batches/$batchId" params={{ batchId: serial.batch_id }}>
              Extend the batch
            </LinkButton>
          ),
          change_start: (
            <LinkButton size="sm" to="/dashboard/batches/$batchId" params={{ batchId: serial.batch_id }}>
              Change the start
            </LinkButton>
          ),
        }}
        className="mb-8"
      />
      <div className="grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="flex min-w-0 flex-col gap-10">
          <SerialFacts serial={serial} />
          <Refunds refunds={serial.refunds} />
          <SerialMachines serial={serial} />
        </div>
        <section>
          <h2 className="mb-4 font-semibold">History</h2>
          <SerialHistory serial={serial} />
        </section>
      </div>
    </>
  );
}

function Skeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading the serial</span>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
          <span className="block sm:max-lg:basis-full">
            <span className="skeleton block h-6 w-[236px] sm:h-11 sm:w-[425px]" />
          </span>
          <span className="skeleton block h-[22px] w-[53px]" />
        </div>
        <div className="flex flex-wrap gap-2">
          {[93, 157, 124, 130, 81, 84].map((width) => (
            <span key={width} className="skeleton h-9" style={{ width }} />
          ))}
        </div>
      </div>
      <span className="skeleton mb-8 block h-12" />
      <div className="grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_300px]">
        <span className="skeleton block h-72" />
        <span className="skeleton block h-56" />
      </div>
    </div>
  );
}
