import { Search, X } from 'lucide-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useDebounced } from '#lib/hooks.ts';
import { useSingleKey } from '#lib/keyboard/single-keys.ts';
import { KeyHint } from '../buttons/key.tsx';
import { cn } from '../cn.ts';
import { Input } from './field.tsx';

interface SearchInputProps {
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  label: string;
  className?: string;
}

/** Waits until the typing pauses; follows its value when that changes elsewhere (Back, a cleared filter). */
export function SearchInput({ value, onChange, placeholder, label, className }: SearchInputProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const settled = useDebounced(text);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  const send = (next: string) => {
    if (next === sent.current) return;
    sent.current = next;
    latest.current(next);
  };
  const sendRef = useRef(send);
  sendRef.current = send;
  useEffect(() => sendRef.current(settled.trim()), [settled]);
  const field = useRef<HTMLInputElement>(null);
  useSingleKey('/', field, () => {
    field.current?.focus();
    field.current?.select();
  });
  return (
    <div
      // the placeholder must be readable whole: each letter has room, and so have the signs beside it
      className={cn(
        'relative min-w-[min(100%,var(--placeholder)+50px)] lg:min-w-[min(100%,var(--placeholder)+72px,var(--least,100%))]',
        className,
      )}
      style={{ '--placeholder': `${Math.ceil(placeholder.length * 6.3)}px` } as CSSProperties}
    >
      <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" aria-hidden />
      <Input
        ref={field}
        type="search"
        aria-keyshortcuts="/"
        role="searchbox"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text.trim());
        }}
        className={cn(
          'pl-9 placeholder:text-sm placeholder-shown:text-ellipsis [&::-webkit-search-cancel-button]:hidden',
          // only a field with words has a button to clear it, and only a wide screen the hint of its key
          text ? 'pr-9' : 'pr-3 lg:pr-9',
        )}
        autoComplete="off"
        spellCheck={false}
      />
      {text ? (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            setText('');
            send('');
          }}
          className="absolute top-1/2 right-1.5 grid size-6 -translate-y-1/2 place-items-center rounded-sm text-muted hover:bg-hover hover:text-text"
        >
          <X className="size-4" aria-hidden />
        </button>
      ) : (
        <span className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2">
          <KeyHint>/</KeyHint>
        </span>
      )}
    </div>
  );
}
