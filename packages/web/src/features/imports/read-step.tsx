import { plural } from '#lib/format/format.ts';
import type { BodyOf } from '#lib/route.ts';
import type { ImportDetail, ImportPlan } from '#lib/types.ts';
import { cn } from '#ui/cn.ts';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Panel, Section } from '#ui/page.tsx';
import { Notice } from '#ui/states.tsx';
import { StepEnd } from './steps-nav.tsx';
import { useChange } from './use-import.ts';
import { delimiterWords, encodingWords, kindHints, kindWords } from './words.ts';

type Body = BodyOf<'changeImport'>;
type Kind = NonNullable<Body['kind']>;
type Encoding = NonNullable<Body['encoding']>;
type Delimiter = NonNullable<Body['delimiter']>;

/** The first step: what was found out about the file as a whole. */
export function ReadStep({ found, plan }: { found: ImportDetail; plan: ImportPlan }) {
  const change = useChange(found.id);
  const busy = change.isPending;
  return (
    <>
      {plan.preset_name ? (
        <div className="mb-6">
          <Notice tone="good">
            This is a file of {plan.preset_name}: its columns are known, and you need to map nothing.
          </Notice>
        </div>
      ) : null}
      <Section title="What is in it" hint="Found out by the columns. Another kind proposes the columns anew.">
        <Field label="Kind" hint={kindHints[found.kind]} className="max-w-md">
          {(control) => (
            <Select
              {...control}
              value={found.kind}
              disabled={busy}
              onChange={({ target }) => change.mutate({ kind: target.value as Kind })}
            >
              {Object.entries(kindWords).map(([kind, words]) => (
                <option key={kind} value={kind}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </Section>
      <Section title="How it is written" hint="If characters or columns below look wrong, change it here.">
        {plan.format === 'csv' ? (
          <div className="grid max-w-md gap-5 sm:grid-cols-2">
            {plan.encoding ? (
              <Field label="Encoding">
                {(control) => (
                  <Select
                    {...control}
                    value={plan.encoding ?? ''}
                    disabled={busy}
                    onChange={({ target }) => change.mutate({ encoding: target.value as Encoding })}
                  >
                    {Object.entries(encodingWords).map(([encoding, words]) => (
                      <option key={encoding} value={encoding}>
                        {words}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
            ) : null}
            {plan.delimiter ? (
              <Field label="Between cells">
                {(control) => (
                  <Select
                    {...control}
                    value={plan.delimiter ?? ''}
                    disabled={busy}
                    onChange={({ target }) => change.mutate({ delimiter: target.value as Delimiter })}
                  >
                    {Object.entries(delimiterWords).map(([delimiter, words]) => (
                      <option key={delimiter} value={delimiter}>
                        {words}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
            ) : null}
          </div>
        ) : plan.sheets.length > 0 ? (
          <Field label="Sheet" className="max-w-md">
            {(control) => (
              <Select
                {...control}
                value={plan.sheet ?? ''}
                disabled={busy}
                onChange={({ target }) => change.mutate({ sheet: target.value })}
              >
                {plan.sheets.map((sheet) => (
                  <option key={sheet}>{sheet}</option>
                ))}
              </Select>
            )}
          </Field>
        ) : (
          <p className="text-muted">A JSON file, whose parts are read as columns.</p>
        )}
        <Beginning plan={plan} stale={busy} />
      </Section>
      <StepEnd id={found.id} plan={plan} next="map" />
    </>
  );
}

/** The heads, and the first cells below each. */
function Beginning({ plan: { columns }, stale }: { plan: ImportPlan; stale: boolean }) {
  const most = Math.max(0, ...columns.map(({ examples }) => examples.length));
  return (
    <Panel className={cn('overflow-hidden transition-opacity', stale && 'opacity-60')}>
      <section
        className="overflow-x-auto"
        aria-label="The beginning of the file"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
      >
        <table className="w-full border-collapse text-left text-sm">
          <caption className="sr-only">Each column with its first cells that are not empty</caption>
          <thead>
            <tr className="border-b border-line">
              {columns.map(({ index, head }) => (
                <th key={index} scope="col" className="h-10 px-3 font-medium whitespace-nowrap first:pl-5 last:pr-5">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {Array.from({ length: most }, (_, row) => (
              <tr key={row}>
                {columns.map(({ index, examples }) => (
                  <td key={index} className="h-9 px-3 whitespace-nowrap text-muted first:pl-5 last:pr-5">
                    <span className="block max-w-56 truncate" title={examples[row]}>
                      {examples[row] ?? ''}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="figures border-t border-line px-5 py-3 text-sm text-muted">{plural(columns.length, 'column')}</p>
    </Panel>
  );
}
