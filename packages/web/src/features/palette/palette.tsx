import { Dialog as Base } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { RotateCw, Search } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { describeError } from '#lib/errors.ts';
import { plural } from '#lib/format/format.ts';
import { showOverlay } from '#lib/keyboard/overlay.ts';
import { ask } from '#lib/keyboard/palette-requests.ts';
import { useLogout } from '#lib/session/use-logout.ts';
import { useTheme } from '#lib/theme.ts';
import { todayIn } from '#lib/time/period.ts';
import type { Account } from '#lib/types.ts';
import { Key } from '#ui/buttons/key.tsx';
import { cn } from '#ui/cn.ts';
import { Mark } from '#ui/mark.tsx';
import { daysIn } from './dates.ts';
import { type Entry, entriesOf, type Group, groupsOf, matching } from './entries.ts';
import { Options, type Section } from './options.tsx';
import { dayEntries, keepRecent, recentEntries } from './recent.ts';
import { useSearch } from './use-search.ts';

interface PaletteProps {
  user: Account;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Returns the text that was typed before the field was there. */
  typedAhead: () => string;
}

export function Palette({ user: account, open, onOpenChange, typedAhead }: PaletteProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-100 data-starting-style:opacity-0 data-ending-style:opacity-0" />
        <div className="pointer-events-none fixed inset-0 z-50 grid items-start justify-items-center p-2 pt-3 sm:p-4 sm:pt-[12vh]">
          <Base.Popup
            initialFocus={field}
            className="overlay-motion pointer-events-auto flex max-h-full w-full max-w-[640px] flex-col overflow-hidden rounded-lg bg-raised shadow-overlay"
          >
            <Base.Title className="sr-only">Search and commands</Base.Title>
            <Finder user={account} field={field} typedAhead={typedAhead} onDone={() => onOpenChange(false)} />
          </Base.Popup>
        </div>
      </Base.Portal>
    </Base.Root>
  );
}

interface FinderProps {
  user: Account;
  field: RefObject<HTMLInputElement | null>;
  typedAhead: () => string;
  onDone: () => void;
}

function Finder({ user: account, field, typedAhead, onDone }: FinderProps) {
  const [text, setText] = useState(typedAhead);
  const [active, setActive] = useState(0);
  const listId = useId();
  const run = useRun(account, onDone);
  const known = entriesOf(account.is_reseller, account.is_admin);
  const search = useSearch(text, account.is_reseller);
  const [only, setOnly] = useState<Group | null>(null);
  const typed = text.trim();
  const days = account.is_reseller ? null : daysIn(typed, todayIn(account.time_zone));

  const fits = ({ group }: Entry) => !only || group === only;
  const sections = typed
    ? sectionsOf([...(days ? dayEntries(days) : []), ...(search.found ?? []), ...matching(known, typed)].filter(fits))
    : withRecent(recentEntries(account.id, known).filter(fits), known.filter(fits));
  const entries = sections.flatMap((section) => section.entries);
  const current = Math.min(active, Math.max(0, entries.length - 1));

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setActive((current + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      const entry = entries[current];
      if (entry) run(entry);
    }
  };

  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search className="size-[18px] shrink-0 text-muted" aria-hidden />
        <input
          ref={field}
          role="combobox"
          aria-label={
            account.is_reseller
              ? 'Find a screen, order, product, developer or statement'
              : 'Find a screen, serial, customer, product, statement or invoice'
          }
          aria-expanded={entries.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={entries.length > 0 ? `${listId}-${current}` : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder="Search or jump to…"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          className="h-14 min-w-0 flex-1 bg-transparent text-md outline-none"
        />
        {search.waiting ? <Mark className="h-4 text-accent-text" playing /> : null}
        <Base.Close className="rounded-sm px-2 py-1 text-sm font-medium text-muted hover:bg-hover hover:text-text">
          Close
        </Base.Close>
      </div>
      <Chips
        groups={groupsOf(account.is_reseller)}
        only={only}
        onOnly={(next) => {
          setOnly(next);
          setActive(0);
          field.current?.focus();
        }}
      />
      <Options
        listId={listId}
        sections={sections}
        current={current}
        onActive={setActive}
        onChoose={(index) => {
          const entry = entries[index];
          if (entry) run(entry);
        }}
      />
      {search.error ? (
        <SearchFailed error={search.error} retry={search.retry} />
      ) : typed && entries.length === 0 && !search.waiting ? (
        <div className="px-6 py-10 text-center">
          <p className="font-medium wrap-anywhere">
            Nothing found for “{typed}”{only ? ` in ${only}` : ''}
          </p>
          <p className="mt-1 text-muted">
            {account.is_reseller
              ? 'Try the reference of an order, a code, a product, a developer or the number of a statement.'
              : 'Paste a serial, the last block of a redeemed one, an id, an order or the number of a statement or an invoice, or try an email address, a name or a day.'}
          </p>
        </div>
      ) : !typed && entries.length === 0 ? (
        <p className="px-6 py-10 text-center text-muted">Type to search in {only}.</p>
      ) : null}
      <p role="status" className="sr-only">
        {typed && !search.waiting ? plural(entries.length, 'result') : ''}
      </p>
      <p className="hidden items-center gap-4 border-t border-line px-4 py-2.5 text-xs text-muted sm:flex" aria-hidden>
        <span className="flex items-center gap-1.5">
          <Key>↑</Key>
          <Key>↓</Key> to move
        </span>
        <span className="flex items-center gap-1.5">
          <Key>Enter</Key> to open
        </span>
        <span className="ml-auto flex items-center gap-1.5">
          <Key>Esc</Key> to close
        </span>
      </p>
    </>
  );
}

interface ChipsProps {
  groups: Group[];
  only: Group | null;
  onOnly: (group: Group | null) => void;
}

/** Narrow what is found to one kind. */
function Chips({ groups, only, onOnly }: ChipsProps) {
  return (
    <fieldset className="flex flex-wrap gap-1.5 border-b border-line px-4 py-2">
      <legend className="sr-only">Find only</legend>
      {groups.map((group) => (
        <button
          key={group}
          type="button"
          aria-pressed={only === group}
          onClick={() => onOnly(only === group ? null : group)}
          className={cn(
            'h-7 shrink-0 rounded-full border px-3 text-sm',
            only === group
              ? 'border-accent bg-accent-soft text-accent-text'
              : 'border-line-strong text-muted hover:bg-hover hover:text-text',
          )}
        >
          {group === 'Go to' ? 'Screens' : group}
        </button>
      ))}
    </fieldset>
  );
}

function SearchFailed({ error, retry }: { error: unknown; retry: () => void }) {
  const { message, requestId } = describeError(error);
  return (
    <div role="alert" className="flex items-center gap-4 border-t border-line px-4 py-3 text-sm">
      <p className="min-w-0 flex-1 text-bad">
        The search failed. {message}
        {requestId ? <span className="block font-mono text-xs break-all text-muted">Request {requestId}</span> : null}
      </p>
      <button
        type="button"
        onClick={retry}
        className="flex h-8 shrink-0 items-center gap-2 rounded-md border border-line-strong px-3 font-medium hover:bg-hover"
      >
        <RotateCw className="size-3.5" aria-hidden />
        Retry
      </button>
    </div>
  );
}

function sectionsOf(entries: Entry[]): Section[] {
  const sections = new Map<string, Entry[]>();
  for (const entry of entries) sections.set(entry.group, [...(sections.get(entry.group) ?? []), entry]);
  return [...sections].map(([title, group]) => ({ title, entries: group }));
}

function withRecent(recent: Entry[], known: Entry[]): Section[] {
  const keys = new Set(recent.map(({ key }) => key));
  const others = sectionsOf(known.filter(({ key }) => !keys.has(key)));
  return recent.length > 0 ? [{ title: 'Recent', entries: recent }, ...others] : others;
}

function useRun(account: Account, onDone: () => void) {
  const navigate = useNavigate();
  const logout = useLogout();
  const { toggle } = useTheme();
  return (entry: Entry) => {
    keepRecent(account.id, entry);
    onDone();
    if ('to' in entry.does) {
      const { to, then } = entry.does;
      // the screen that is left must not take what the next one is asked
      navigate(to).then(() => (then ? ask(then) : undefined));
    } else if (entry.does.act === 'theme') toggle();
    else if (entry.does.act === 'keys') showOverlay('keys');
    else if (entry.does.act === 'help') window.open('/help', '_blank', 'noreferrer');
    else if (entry.does.act === 'reference') window.open('/docs', '_blank', 'noreferrer');
    else logout();
  };
}
