import { CopyButton } from '../buttons/copy-button.tsx';

export function CodeBlock({ title, code, copyText = code }: { title: string; code: string; copyText?: string }) {
  return (
    <figure className="overflow-hidden rounded-lg border border-line bg-sunken">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line py-1.5 pr-2 pl-4 text-sm font-medium text-muted">
        {title}
        <CopyButton compact text={copyText} what={title} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <section className="overflow-x-auto p-4" tabIndex={0} aria-label={title}>
        <pre className="font-mono text-sm leading-6">
          <code>{code}</code>
        </pre>
      </section>
    </figure>
  );
}
