/** The pages under `/help`, from `docs/guides`. */
export type Guide =
  | 'any-plugin'
  | 'batches-in-ci'
  | 'brand-and-domain'
  | 'draw-codes'
  | 'first-batch'
  | 'giving-up-a-plugin'
  | 'hise'
  | 'juce'
  | 'moving-in'
  | 'moving-out'
  | 'offline-machines'
  | 'new-version'
  | 'rotating-keys'
  | 'running-it'
  | 'sell-by-hand'
  | 'shops'
  | 'shops-fastspring'
  | 'shops-gumroad'
  | 'shops-lemonsqueezy'
  | 'shops-other'
  | 'shops-paddle'
  | 'shops-shopify'
  | 'shops-stripe'
  | 'shops-woocommerce'
  | 'webhooks';

interface OutsideLinkProps {
  href: string;
  children: string;
}

/** Opens a guide in a new tab, so that what was typed on this screen stays. */
export function HelpLink({ guide, children = 'Read the guide' }: { guide: Guide; children?: string }) {
  return <OutsideLink href={`/help/${guide}`}>{children}</OutsideLink>;
}

/** Opens the API reference in a new tab. */
export function ReferenceLink({ children = 'API reference' }: { children?: string }) {
  return <OutsideLink href="/docs">{children}</OutsideLink>;
}

function OutsideLink({ href, children }: OutsideLinkProps) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="rounded-sm font-medium whitespace-nowrap text-accent-text underline decoration-accent-line underline-offset-4 hover:decoration-current"
    >
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
