import { Check, ChevronDown } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { cn } from '../cn.ts';
import { controlClass } from './field.tsx';

interface Focusable {
  focus: () => void;
}

interface ComboboxProps<T> {
  id?: string;
  items: T[];
  value: T | null;
  onChange: (item: T) => void;
  /** Called as the person types; the items are then the server's results. Empty when there is no search. */
  onSearch: (text: string) => void;
  /** Whether the items are still those of an earlier text. */
  behind?: boolean;
  itemKey: (item: T) => string;
  itemLabel: (item: T) => string;
  itemDetail?: (item: T) => ReactNode;
  placeholder: string;
  empty: ReactNode;
  /** Lets a form bring the reader here when it is refused. */
  ref?: Ref<Focusable> | undefined;
  'aria-label'?: string;
  'aria-invalid'?: true | undefined;
  'aria-required'?: true | undefined;
  'aria-describedby'?: string | undefined;
}

/** A select for lists too long to scroll: type to search, arrows and Enter to choose, Escape to leave it as it was. */
export function Combobox<T>(props: ComboboxProps<T>) {
  const {
    items,
    value,
    onChange,
    onSearch,
    behind,
    itemKey,
    itemLabel,
    itemDetail,
    placeholder,
    empty,
    ref,
    ...control
  } = props;
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  /** Whether somebody pointed at an item since the text changed, and means that one. */
  const [pointed, setPointed] = useState(false);
  /** Whether Enter was pressed before the items of the text were there. */
  const [entered, setEntered] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => input.current?.focus() }), []);
  const listId = useId();
  const label = value === null ? '' : itemLabel(value);
  const current = Math.min(active, items.length - 1);

  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  });

  useEffect(() => {
    if (!entered || behind) return;
    setEntered(false);
    // if nothing was found, the list stays open and shows that
    if (items[0] !== undefined) choose(items[0]);
  });

  const point = (index: number) => {
    setActive(index);
    setPointed(true);
    setEntered(false);
  };
  const show = () => {
    if (open) return;
    setText('');
    setPointed(false);
    setActive(
      Math.max(
        0,
        items.findIndex((item) => value !== null && itemKey(item) === itemKey(value)),
      ),
    );
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setText('');
    setEntered(false);
    onSearch('');
  };
  const choose = (item: T | undefined) => {
    if (item !== undefined) onChange(item);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) return show();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      point((current + step + items.length) % Math.max(1, items.length));
    } else if (event.key === 'Enter' && open && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (!behind || pointed) choose(items[current]);
      else if (text.trim() === '' && value !== null) close();
      else setEntered(true);
    } else if (event.key === 'Escape' && open) {
      event.stopPropagation();
      close();
    }
  };

  return (
    <div className="relative">
      <input
        {...control}
        ref={input}
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && items.length > 0 ? `${listId}-${current}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={label || placeholder}
        value={open ? text : label}
        onClick={show}
        // typed text replaces the choice
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setOpen(true);
          setActive(0);
          setPointed(false);
          setEntered(false);
          setText(event.target.value);
          onSearch(event.target.value);
        }}
        className={cn(controlClass, 'h-9 pr-10')}
      />
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        aria-hidden
      />
      <div
        hidden={!open}
        // A press inside must not take the focus from the input, or the list would close before the click.
        onPointerDown={(event) => event.preventDefault()}
        className="absolute top-full z-30 mt-1.5 w-full rounded-lg bg-raised p-1.5 shadow-overlay"
      >
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-label={placeholder}
          aria-busy={behind || undefined}
          className="max-h-80 overflow-y-auto overscroll-contain"
        >
          {items.map((item, index) => {
            const chosen = value !== null && itemKey(item) === itemKey(value);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys.
              // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the active option.
              <div
                key={itemKey(item)}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={chosen}
                data-active={index === current || undefined}
                onPointerMove={() => point(index)}
                onClick={() => choose(item)}
                className="flex min-h-9 cursor-default items-center gap-2.5 rounded-sm px-2.5 py-1.5 select-none data-active:bg-hover"
              >
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {itemLabel(item)}
                </span>
                {itemDetail ? <span className="figures shrink-0 text-sm text-muted">{itemDetail(item)}</span> : null}
                <Check className={cn('size-4 shrink-0 text-accent-text', !chosen && 'invisible')} aria-hidden />
              </div>
            );
          })}
        </div>
        {items.length === 0 ? (
          <div role="status" className="px-2.5 py-2 text-sm text-muted">
            {empty}
          </div>
        ) : null}
      </div>
    </div>
  );
}
