/** The pages under `/help`, from `docs/guides`. */
export type Guide =
  | 'any-plugin'
  | 'batches-in-ci'
  | 'brand-and-domain'
  | 'first-batch'
  | 'hise'
  | 'juce'
  | 'moving-in'
  | 'offline-machines'
  | 'rotating-keys'
  | 'running-it';

/** Opens a guide beside the screen that it belongs to, so that what was typed there stays. */
export function HelpLink({ guide, children = 'Read the guide' }: { guide: Guide; children?: string }) {
  return (
    <a
      href={`/help/${guide}`}
      target="_blank"
      rel="noreferrer"
      className="rounded-sm font-medium whitespace-nowrap text-accent-text underline decoration-accent-line underline-offset-4 hover:decoration-current"
    >
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
