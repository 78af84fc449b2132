import { ChevronDown } from 'lucide-react';
import { formatCount } from '#lib/format/format.ts';
import { cn } from '../cn.ts';
import { Menu } from '../menus/menu.tsx';
import { useInSheet } from './filter-row.tsx';

/** As in the URL: `a,b` shows only these, `-a` all but this one. */
export interface Chosen {
  only: string[];
  not: string[];
}

export function chosenOf(text: string | undefined): Chosen {
  const values = (text ?? '').split(',').filter((value) => value !== '');
  return {
    only: values.filter((value) => !value.startsWith('-')),
    not: values.filter((value) => value.startsWith('-')).map((value) => value.slice(1)),
  };
}

const textOf = ({ only, not }: Chosen): string | undefined =>
  [...only, ...not.map((value) => `-${value}`)].join(',') || undefined;

export interface Choice {
  value: string;
  label: string;
  count: number;
  /** False: there are more than were counted. */
  exact: boolean;
}

interface ChoiceFilterProps {
  label: string;
  value: string | undefined;
  /** Undefined while they load. */
  choices: Choice[] | undefined;
  failed: boolean;
  /** So many others are set that there is only room for a number. */
  brief?: boolean;
  onOpen: () => void;
  onChange: (value: string | undefined) => void;
}

const without = (list: string[], value: string) => list.filter((each) => each !== value);

/** One filter of a list: several of its values, or all but some, each with the number of rows that it leaves. */
export function ChoiceFilter(props: ChoiceFilterProps) {
  const { label, value, choices, brief = false, onOpen } = props;
  const inSheet = useInSheet();
  const { only, not: leftOut } = chosenOf(value);
  const count = only.length + leftOut.length;
  const [first] = [...only, ...leftOut];
  const name = count === 1 ? choices?.find((each) => each.value === first)?.label : undefined;
  const words = name ?? String(count);
  const not = only.length === 0 ? 'not ' : '';
  const face = (
    <>
      <span>{label}</span>
      {count > 0 ? (
        // in full where the row has room for it
        <span
          title={`${not}${words}`}
          className={cn('truncate text-accent-text', inSheet ? 'min-w-0' : 'max-w-24 2xl:max-w-40')}
        >
          {brief && !inSheet ? (
            <>
              <span className="2xl:hidden">
                {not}
                {count}
              </span>
              <span className="max-2xl:hidden">
                {not}
                {words}
              </span>
            </>
          ) : (
            `${not}${words}`
          )}
        </span>
      ) : null}
      <ChevronDown
        className={cn('size-3.5 shrink-0 text-muted', inSheet && 'ml-auto group-open:rotate-180')}
        aria-hidden
      />
    </>
  );
  if (inSheet) {
    return (
      <details
        onToggle={(event) => (event.currentTarget.open ? onOpen() : undefined)}
        className="group rounded-md border border-control-line bg-surface"
      >
        <summary className="flex h-10 list-none items-center gap-1.5 rounded-md px-3 [&::-webkit-details-marker]:hidden">
          {face}
        </summary>
        <div className="max-h-72 overflow-y-auto border-t border-line p-1">
          <Choices {...props} />
        </div>
      </details>
    );
  }
  return (
    <Menu
      stay
      side="left"
      onOpen={onOpen}
      face={face}
      buttonClass={cn(
        'inline-flex h-9 items-center gap-1.5 rounded-md border bg-surface px-2.5 text-sm whitespace-nowrap hover:border-muted',
        count > 0 ? 'border-accent-line' : 'border-control-line',
      )}
    >
      <div className="max-h-80 w-84 max-w-[85vw] overflow-y-auto">
        <Choices {...props} />
      </div>
    </Menu>
  );
}

function Choices({ value, choices, failed, onChange }: ChoiceFilterProps) {
  const chosen = chosenOf(value);
  const set = [...chosen.only, ...chosen.not];
  // a choice stays visible when it leaves nothing
  const missing = set.filter((each) => choices && !choices.some((one) => one.value === each));
  const all = [...(choices ?? []), ...missing.map((each) => ({ value: each, label: each, count: 0, exact: true }))];
  return (
    <>
      {failed ? <p className="px-2.5 py-2 text-sm text-bad">The counts couldn't be loaded. Open this again.</p> : null}
      {!choices && !failed ? <span className="skeleton m-2.5 block h-4 w-40" /> : null}
      {choices && all.length === 0 ? <p className="px-2.5 py-2 text-sm text-muted">Nothing to choose.</p> : null}
      {all.length > 0 ? (
        <p className="px-2.5 pt-1 pb-1.5 text-xs text-muted">
          Check what to show. “Leave out” shows everything but that one.
        </p>
      ) : null}
      {all.map((choice) => {
        const on = chosen.only.includes(choice.value);
        const off = chosen.not.includes(choice.value);
        const only = on ? without(chosen.only, choice.value) : [...chosen.only, choice.value];
        const not = off ? without(chosen.not, choice.value) : [...chosen.not, choice.value];
        return (
          <div key={choice.value} className="flex items-center rounded-sm hover:bg-hover">
            <label className="flex h-9 min-w-0 flex-1 cursor-pointer items-center gap-2.5 px-2.5">
              <input
                type="checkbox"
                checked={on}
                onChange={() => onChange(textOf({ only, not: without(chosen.not, choice.value) }))}
                className="size-4 shrink-0 accent-(--accent)"
              />
              <span className={cn('min-w-0 flex-1 truncate', off && 'text-muted line-through')}>{choice.label}</span>
              <span className="figures text-sm text-muted">
                {formatCount(choice.count)}
                {choice.exact ? null : '+'}
              </span>
            </label>
            <button
              type="button"
              aria-pressed={off}
              aria-label={`Leave out ${choice.label}`}
              title={off ? `Show ${choice.label} again` : `Show everything but ${choice.label}`}
              onClick={() => onChange(textOf({ only: without(chosen.only, choice.value), not }))}
              className={cn(
                'h-8 shrink-0 rounded-sm px-2 text-xs hover:text-text',
                off ? 'bg-bad-soft font-medium text-bad' : 'text-muted',
              )}
            >
              Leave out
            </button>
          </div>
        );
      })}
      {set.length > 0 ? (
        <button
          type="button"
          onClick={() => onChange(undefined)}
          className="mt-1 h-9 w-full rounded-sm border-t border-line px-2.5 text-left text-sm text-muted hover:bg-hover hover:text-text"
        >
          Clear
        </button>
      ) : null}
    </>
  );
}
