import { type LinkProps, linkOptions } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { api } from '#lib/api.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import type { ImportDetail } from '#lib/types.ts';
import { LinkButton } from '#ui/button.tsx';
import { FactsPanel } from '#ui/details/facts.tsx';
import { FigureCard, FigureCards } from '#ui/figures/figure-cards.tsx';
import { UploadBar } from '#ui/forms/upload-bar.tsx';
import { Panel } from '#ui/page.tsx';
import { Notice } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { ProofSection } from './proof-section.tsx';
import { fractionOf, isMoving } from './steps.ts';

/** The progress of an import, and its result, which stays. */
export function ImportReport({ found }: { found: ImportDetail }) {
  return isMoving(found) ? <Moving found={found} /> : <Ended found={found} />;
}

function Moving({ found }: { found: ImportDetail }) {
  const state = useRef<HTMLParagraphElement>(null);
  // the pressed button is gone
  useEffect(() => state.current?.focus(), []);
  const undoing = found.state === 'undoing';
  const fraction = undoing ? null : fractionOf(found);
  const all = found.plan?.check?.lines;
  const words = undoing
    ? 'Taking it back'
    : found.lines === 0
      ? 'Opening the file'
      : fraction === 1
        ? 'All lines are read. Putting them in place'
        : all
          ? `Line ${formatCount(found.lines)} of ${formatCount(all)}`
          : `Line ${formatCount(found.lines)}`;
  return (
    <Panel className="flex flex-col gap-4 px-5 py-6">
      <p ref={state} tabIndex={-1} role="status" className="figures font-medium outline-none">
        {words}
      </p>
      {fraction === null ? null : <UploadBar value={fraction} label="Import" />}
      {found.rejected > 0 ? (
        <p className="figures text-sm text-muted">{plural(found.rejected, 'line')} refused so far</p>
      ) : null}
      <p className="text-sm text-muted">
        {undoing
          ? 'It goes on without this page. Either all of it is taken back or nothing.'
          : 'It goes on without this page. Until the end nothing of it is visible elsewhere.'}
      </p>
    </Panel>
  );
}

/** The screens that show what was imported. */
const places: Record<ImportDetail['kind'], LinkProps> = {
  redeemed: linkOptions({ to: '/dashboard/serials', search: {} }),
  available: linkOptions({ to: '/dashboard/serials/available', search: {} }),
  customers: linkOptions({ to: '/dashboard/customers', search: {} }),
};

function Ended({ found }: { found: ImportDetail }) {
  const { id, kind, state, error, count, known, rejected, lines, unused_columns, dry_run } = found;
  const complete = state === 'complete';
  return (
    <>
      {state === 'failed' ? (
        <div className="mb-5">
          <Notice>{error ?? 'The import failed.'} Nothing was imported.</Notice>
        </div>
      ) : null}
      {complete && error ? (
        <div className="mb-5">
          <Notice tone="warn">It was not taken back: {error}</Notice>
        </div>
      ) : null}
      {state === 'undone' ? (
        <div className="mb-5">
          <Notice tone="plain">
            This import was taken back {found.undone_at ? <TimeAgo iso={found.undone_at} /> : null}: below is what it
            had brought.
          </Notice>
        </div>
      ) : null}
      {state === 'failed' ? null : (
        <Panel className="mb-6 overflow-hidden">
          <FigureCards>
            <FigureCard name={dry_run ? 'Would be added' : 'Added'} value={formatCount(count)}>
              of {plural(lines, 'line')}
            </FigureCard>
            <FigureCard name="Known already" value={formatCount(known)}>
              Left as they were
            </FigureCard>
            <FigureCard name="Refused" value={formatCount(rejected)}>
              {rejected > 0 ? 'Left out' : 'None'}
            </FigureCard>
            <FigureCard name="Columns not used" value={formatCount(unused_columns.length)}>
              {unused_columns.length > 0 ? 'Named below' : 'Every column was used'}
            </FigureCard>
          </FigureCards>
        </Panel>
      )}
      <FactsPanel
        facts={[
          ['Started', <TimeAgo key="started" iso={found.started_at} />],
          ['Ended', found.finished_at ? <TimeAgo key="ended" iso={found.finished_at} /> : null],
          ['Read as', found.plan?.preset_name ?? null],
          ['Columns not used', unused_columns.length > 0 ? unused_columns.join(', ') : null],
        ]}
      />
      {found.plan && !dry_run && (complete || state === 'undone') ? <ProofSection id={id} /> : null}
      <div className="flex flex-wrap gap-2 print:hidden">
        {rejected > 0 ? (
          <SaveButton file="refused_lines.csv" stream={() => api.stream.downloadImportReport({ path: { id } })}>
            Refused lines as CSV
          </SaveButton>
        ) : null}
        {complete && !dry_run && count > 0 ? (
          <LinkButton {...places[kind]} variant="primary">
            See what came
          </LinkButton>
        ) : null}
        <LinkButton to="/dashboard/imports">All imports</LinkButton>
      </div>
    </>
  );
}
