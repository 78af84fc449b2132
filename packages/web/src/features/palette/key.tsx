export function Key({ children }: { children: string }) {
  return (
    <kbd className="grid h-6 min-w-6 place-items-center rounded-sm border border-line-strong bg-sunken px-1.5 font-sans text-xs text-muted">
      {children}
    </kbd>
  );
}
