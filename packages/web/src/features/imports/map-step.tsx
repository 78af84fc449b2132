import { useState } from 'react';
import { plural } from '#lib/format/format.ts';
import type { BodyOf } from '#lib/route.ts';
import type { ImportDetail, ImportPlan } from '#lib/types.ts';
import { Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Field, Input } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Panel, Section } from '#ui/page.tsx';
import { ProductPicker } from '#widgets/product-picker.tsx';
import { Correction } from './correction.tsx';
import { Questions } from './questions.tsx';
import { firstColumns, openFields, PAGE_OF_COLUMNS, unusedHeads } from './steps.ts';
import { StepEnd } from './steps-nav.tsx';
import { useChange } from './use-import.ts';

type ColumnName = NonNullable<NonNullable<BodyOf<'changeImport'>['columns']>[number]['column']>;

/** The second step: what each column is. Nothing is left out without being named. */
export function MapStep({ found: { id, kind }, plan }: { found: ImportDetail; plan: ImportPlan }) {
  const unused = unusedHeads(plan);
  return (
    <>
      <Questions id={id} plan={plan} />
      <Section title="Columns" hint={unused.length === 0 ? 'Every column is used.' : <Unused heads={unused} />}>
        <Columns id={id} plan={plan} />
      </Section>
      <Section title="The same in all lines" hint="For what the file has no column of.">
        <Values id={id} plan={plan} />
      </Section>
      <Section
        title="A correction"
        hint="If this file is a corrected one, it takes the place of the import that it corrects."
      >
        <Correction id={id} kind={kind} plan={plan} />
      </Section>
      <StepEnd id={id} plan={plan} back="read" next="check" />
    </>
  );
}

/** Names every one of them. Those of a very wide file scroll, so that the columns stay in sight. */
function Unused({ heads }: { heads: readonly string[] }) {
  const names = `${plural(heads.length, 'column')} will not be used: ${heads.join(', ')}.`;
  if (heads.length <= PAGE_OF_COLUMNS) return names;
  return (
    <section
      aria-label="Columns that will not be used"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
      tabIndex={0}
      className="max-h-48 overflow-y-auto rounded-md border border-line p-3 wrap-anywhere"
    >
      {names}
    </section>
  );
}

function Columns({ id, plan: { columns, fields } }: { id: string; plan: ImportPlan }) {
  const change = useChange(id);
  const [whole, setWhole] = useState(false);
  const shown = whole ? columns : firstColumns(columns);
  /** A field belongs to one column: who takes it from another leaves that one unused. */
  const become = (index: number, chosen: string) => {
    const column = chosen === '' ? null : (chosen as ColumnName);
    const before = column === null ? undefined : columns.find((each) => each.column === column && each.index !== index);
    change.mutate({ columns: [...(before ? [{ index: before.index, column: null }] : []), { index, column }] });
  };
  return (
    <Panel className="overflow-hidden">
      <ul className="divide-y divide-line" aria-label="Columns of the file">
        {shown.map(({ index, head, examples, column }) => (
          <li
            key={index}
            className={cn(
              'grid gap-x-6 gap-y-2 px-5 py-3.5 sm:grid-cols-[minmax(0,1fr)_220px] sm:items-center',
              column === null && 'bg-canvas',
            )}
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
                {head}
                {column === null ? <Tag>Not used</Tag> : null}
              </p>
              <p className="truncate text-sm text-muted" title={examples.join(' · ')}>
                {examples.length > 0 ? examples.join(' · ') : 'Empty in the first lines'}
              </p>
            </div>
            <Select
              aria-label={`What ${head} is`}
              value={column ?? ''}
              disabled={change.isPending}
              onChange={({ target }) => become(index, target.value)}
            >
              <option value="">Not used</option>
              {fields.map((field) => (
                <option key={field.column} value={field.column}>
                  {field.required ? `${field.column} (required)` : field.column}
                </option>
              ))}
            </Select>
          </li>
        ))}
      </ul>
      {shown.length < columns.length ? (
        <p className="border-t border-line px-5 py-3">
          <Button size="sm" onClick={() => setWhole(true)}>
            Show all {plural(columns.length, 'column')}
          </Button>
        </p>
      ) : null}
    </Panel>
  );
}

function Values({ id, plan }: { id: string; plan: ImportPlan }) {
  const change = useChange(id);
  const given = Object.entries(plan.values);
  const open = openFields(plan);
  return (
    <div className="flex flex-col gap-4">
      {given.length > 0 ? (
        <Panel>
          <ul className="divide-y divide-line" aria-label="Values of all lines">
            {given.map(([column, value]) => (
              <li key={column} className="flex items-center justify-between gap-4 px-5 py-2.5">
                <span className="min-w-0 wrap-anywhere">
                  <span className="text-muted">{column}</span> {value}
                </span>
                <Button
                  size="sm"
                  variant="ghost"
                  disabled={change.isPending}
                  onClick={() => change.mutate({ values: { [column]: null } })}
                >
                  Remove<span className="sr-only"> {column}</span>
                </Button>
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
      {open.length > 0 ? (
        <NewValue
          fields={open.map(({ column }) => column)}
          busy={change.isPending}
          onAdd={(column, value) => change.mutate({ values: { [column]: value } })}
        />
      ) : null}
    </div>
  );
}

interface NewValueProps {
  fields: string[];
  busy: boolean;
  onAdd: (column: string, value: string) => void;
}

function NewValue({ fields, busy, onAdd }: NewValueProps) {
  const [chosen, setChosen] = useState('');
  const [text, setText] = useState('');
  const column = fields.includes(chosen) ? chosen : (fields[0] ?? '');
  const add = () => {
    if (text.trim() === '') return;
    onAdd(column, text.trim());
    setText('');
  };
  return (
    <div className="grid items-end gap-3 sm:grid-cols-[200px_minmax(0,1fr)_auto]">
      <Field label="What">
        {(control) => (
          <Select {...control} value={column} onChange={({ target }) => setChosen(target.value)}>
            {fields.map((field) => (
              <option key={field}>{field}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="In all lines">
        {(control) =>
          column === 'Product' ? (
            <ProductPicker
              {...control}
              value={text === '' ? null : { id: text, name: text }}
              onChange={({ name }) => setText(name)}
            />
          ) : (
            <Input
              {...control}
              value={text}
              onChange={({ target }) => setText(target.value)}
              onKeyDown={({ key }) => key === 'Enter' && add()}
              autoComplete="off"
            />
          )
        }
      </Field>
      <Button onClick={add} disabled={busy || text.trim() === ''}>
        Set
      </Button>
    </div>
  );
}
