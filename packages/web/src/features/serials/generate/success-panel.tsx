import { Check, Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { saveFile } from '#lib/files/download.ts';
import { formatCount, formatUtcDay, plural } from '#lib/format/format.ts';
import { useRedeemUrl } from '#lib/session/session.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { LinkLine } from '#ui/details/link-line.tsx';
import { Panel } from '#ui/page.tsx';
import { CodeList } from './code-list.tsx';
import type { Batch } from './stream-batch.ts';

interface SuccessPanelProps {
  batch: Batch;
  product: string;
  /** The first day on which they can be redeemed; empty: today. */
  starts: string;
  onExit: () => void;
}

export function SuccessPanel({ batch, product, starts, onExit }: SuccessPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const redeemUrl = useRedeemUrl();
  const complete = batch.codes.length === batch.count;
  return (
    <Panel className="overflow-hidden">
      <div className="flex flex-wrap items-center justify-between gap-5 p-6">
        <div className="flex min-w-0 items-center gap-4">
          <span className="grid size-10 shrink-0 place-items-center rounded-full bg-good-soft text-good">
            <Check className="size-5" aria-hidden />
          </span>
          <div className="min-w-0">
            <h2 ref={heading} tabIndex={-1} className="figures text-lg font-semibold tracking-[-0.02em] outline-none">
              {plural(batch.count, 'serial')} generated
            </h2>
            <p className="truncate text-muted">{product}</p>
            {Date.parse(starts) > Date.now() ? (
              <p className="text-sm text-warn">{`Nobody can redeem them before ${formatUtcDay(starts)}.`}</p>
            ) : null}
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" onClick={() => saveFile('serial_batch_full.csv', batch.csv)}>
            <Download className="-ml-0.5 size-4" aria-hidden />
            Download CSV
          </Button>
          {complete ? (
            <Button onClick={() => saveFile('serial_codes.csv', [`Serial\r\n${batch.codes.join('\r\n')}\r\n`])}>
              Codes only
            </Button>
          ) : null}
          <LinkButton to="/dashboard/serials/available">See them in Available</LinkButton>
          <Button variant="ghost" onClick={onExit}>
            Exit
          </Button>
        </div>
      </div>
      <div className="flex items-center justify-between gap-3 border-t border-line py-2 pr-3 pl-6 text-sm text-muted">
        <span className="figures">
          {complete ? 'All codes' : `The first ${formatCount(batch.codes.length)} codes. The file has all of them.`}
        </span>
        <CopyButton compact text={batch.codes.join('\n')} label={complete ? 'Copy all' : 'Copy these'} />
      </div>
      <CodeList codes={batch.codes} />
      {redeemUrl ? (
        <div className="flex flex-col gap-x-3 gap-y-1 border-t border-line px-6 py-4 sm:flex-row sm:items-center">
          <span className="shrink-0 text-sm text-muted">Customers redeem them at</span>
          <LinkLine url={redeemUrl} what="the address of your redemption page" />
        </div>
      ) : null}
    </Panel>
  );
}
