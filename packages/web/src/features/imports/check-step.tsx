import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import type { ImportCheck, ImportDetail, ImportPlan } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { FigureCard, FigureCards } from '#ui/figures/figure-cards.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, FormError, Notice } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { ProductPicker } from '#widgets/product-picker.tsx';
import { Changes } from './changes.tsx';
import { Questions } from './questions.tsx';
import { barrier, missingProduct, shownFields } from './steps.ts';
import { StepEnd } from './steps-nav.tsx';
import { useChange, useCheck, useMissingProduct } from './use-import.ts';
import { cellWords } from './words.ts';

/** The third step: the import as it would be, tried and rolled back. */
export function CheckStep({ found: { id, state, lines, error }, plan }: { found: ImportDetail; plan: ImportPlan }) {
  const check = useCheck(id);
  const found = plan.check;
  const busy = check.isPending || state === 'checking';
  return (
    <>
      <Questions id={id} plan={plan} />
      {check.isError ? (
        <div className="mb-5">
          <FormError title="The file couldn't be checked." error={check.error} />
        </div>
      ) : null}
      {state === 'open' && error !== null && !busy ? (
        <div className="mb-5">
          <Notice>The file couldn't be checked. {error}</Notice>
        </div>
      ) : null}
      {found && busy ? (
        <p role="status" className="figures mb-5 text-muted">
          {checkingWords(lines)}
        </p>
      ) : null}
      {found ? (
        <Found id={id} plan={plan} check={found} stale={busy} />
      ) : (
        <Panel>
          <Empty
            title={busy ? 'Being checked' : 'Not checked yet'}
            action={
              <Button
                variant="primary"
                onClick={() => check.mutate()}
                busy={busy}
                disabled={barrier('check', plan) !== null}
              >
                Check the file
              </Button>
            }
          >
            {busy ? checkingWords(lines) : 'The whole file is tried, line by line, and nothing of it is kept.'}
          </Empty>
        </Panel>
      )}
      <StepEnd id={id} plan={plan} back="map" next="run" wait={busy ? 'The file is being checked.' : null}>
        {found ? (
          <Button onClick={() => check.mutate()} busy={busy}>
            Check again
          </Button>
        ) : null}
      </StepEnd>
    </>
  );
}

/** The check of a large file goes on by itself. */
const checkingWords = (lines: number) =>
  lines === 0
    ? 'The whole file is read. With a million lines that takes about a minute.'
    : `${plural(lines, 'line')} read so far. It goes on without this page.`;

interface FoundProps {
  id: string;
  plan: ImportPlan;
  check: ImportCheck;
  stale: boolean;
}

function Found({ id, plan, check, stale }: FoundProps) {
  const { lines, added, known, rejected, amount, time_zone, at } = check;
  return (
    <div className={cn('flex flex-col gap-8 transition-opacity', stale && 'opacity-60')} aria-busy={stale}>
      <section aria-label="What would happen">
        <Panel className="overflow-hidden">
          <FigureCards>
            <FigureCard name="To be added" value={formatCount(added)}>
              of {plural(lines, 'line')}
            </FigureCard>
            <FigureCard name="Known already" value={formatCount(known)}>
              Left as they are
            </FigureCard>
            <FigureCard name="Refused" value={formatCount(rejected)}>
              {rejected > 0 ? 'Left out, for the reasons below' : 'None'}
            </FigureCard>
            <FigureCard name="Sales" value={amount === null ? '–' : formatMoney(amount)}>
              {amount === null ? 'This kind has none' : 'What the prices add up to'}
            </FigureCard>
          </FigureCards>
        </Panel>
        <p className="mt-2 text-sm text-muted">
          Checked <TimeAgo iso={at} />. Times without a zone are {time_zone.replaceAll('_', ' ')}.
        </p>
      </section>
      {check.changes ? <Changes changes={check.changes} /> : null}
      {rejected > 0 ? <Reasons id={id} check={check} /> : null}
      <Rows plan={plan} check={check} />
    </div>
  );
}

function Reasons({ id, check: { reasons, rejected } }: { id: string; check: ImportCheck }) {
  return (
    <section aria-label="Refused lines">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{plural(rejected, 'line')} refused</h2>
        <SaveButton file="refused_lines.csv" size="sm" stream={() => api.stream.downloadImportReport({ path: { id } })}>
          Refused lines as CSV
        </SaveButton>
      </div>
      <Panel>
        <ul className="divide-y divide-line">
          {reasons.map(({ reason, count, example }) => {
            const product = missingProduct(example.reason);
            return (
              <li key={reason} className="flex flex-col gap-3 px-5 py-3.5">
                <div className="flex items-baseline justify-between gap-4">
                  <span className="min-w-0 wrap-anywhere">
                    {reason}
                    <span className="figures block text-sm text-muted">
                      Line {formatCount(example.line)}
                      {example.reason === reason ? '' : `: ${example.reason}`}
                    </span>
                  </span>
                  <span className="figures shrink-0 text-sm text-muted">{plural(count, 'line')}</span>
                </div>
                {product ? <MissingProduct id={id} product={product} /> : null}
              </li>
            );
          })}
        </ul>
      </Panel>
    </section>
  );
}

/** A product that the file calls otherwise, or that is to be added. */
function MissingProduct({ id, product }: { id: string; product: string }) {
  const change = useChange(id);
  const add = useMissingProduct(id, product);
  const [name, setName] = useState<string | null>(null);
  const busy = change.isPending || add.isPending;
  return (
    <div className="grid max-w-2xl items-end gap-3 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
      <Field label={`“${product}” is`}>
        {(control) => (
          <ProductPicker
            {...control}
            value={name === null ? null : { id: name, name }}
            onChange={({ name: chosen }) => setName(chosen)}
          />
        )}
      </Field>
      <Button
        disabled={name === null || busy}
        busy={change.isPending}
        onClick={() => (name === null ? undefined : change.mutate({ products: { [product]: name } }))}
      >
        Use it
      </Button>
      <Button disabled={busy} busy={add.isPending} onClick={() => add.mutate()}>
        Add it<span className="sr-only"> as a product</span>
      </Button>
    </div>
  );
}

function Rows({ plan, check: { lines, rows } }: Pick<FoundProps, 'plan' | 'check'>) {
  const names = shownFields(plan, rows);
  if (rows.length === 0)
    return (
      <Notice tone="plain">
        {lines === 0
          ? 'The file has no lines below its first, which names the columns.'
          : 'No line could be read as far as its cells go.'}
      </Notice>
    );
  return (
    <section aria-label="The first lines">
      <h2 className="mb-3 font-semibold">
        {rows.length === 1
          ? 'The first line, as it will be'
          : `The first ${plural(rows.length, 'line')}, as they will be`}
      </h2>
      <Panel className="overflow-hidden">
        <section
          className="max-h-[28rem] overflow-auto"
          aria-label="First lines as they will be"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
          tabIndex={0}
        >
          <table className="w-full border-collapse text-left text-sm">
            <caption className="sr-only">The first lines of the file as they will be imported</caption>
            <thead className="sticky top-0 bg-surface">
              <tr className="text-xs text-muted shadow-[inset_0_-1px_var(--line)]">
                <th scope="col" className="h-10 px-3 pl-5 font-medium">
                  Line
                </th>
                {names.map((name) => (
                  <th key={name} scope="col" className="h-10 px-3 font-medium whitespace-nowrap last:pr-5">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {rows.map((row) => (
                <tr key={Number(row.line)} className={cn(row.refused !== null && 'text-muted')}>
                  <td className="figures h-10 px-3 pl-5 align-top leading-10">{formatCount(Number(row.line))}</td>
                  {names.map((name, index) => (
                    <td key={name} className="figures px-3 py-2.5 align-top whitespace-nowrap last:pr-5">
                      {cellWords(name, row[name])}
                      {index === 0 && row.refused !== null ? (
                        <span className="block min-w-48 max-w-72 whitespace-normal text-xs text-bad">
                          Refused: {row.refused}
                        </span>
                      ) : null}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Panel>
    </section>
  );
}
