import type { ReactNode } from 'react';

interface SettingsSectionProps {
  /** Its anchor in the URL. */
  id: string;
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}

/** A section that the index and the URL can link to. */
export function SettingsSection({ id, title, hint, children }: SettingsSectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-[88px] border-t border-line py-9 first:border-t-0 first:pt-0"
    >
      <h2 id={`${id}-title`} className="text-md font-semibold tracking-[-0.01em]">
        {title}
      </h2>
      {hint ? <p className="mt-0.5 text-muted">{hint}</p> : null}
      <div className="mt-5 flex min-w-0 flex-col gap-5">{children}</div>
    </section>
  );
}
