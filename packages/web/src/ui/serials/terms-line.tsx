import { formatChosen, formatMoney } from '#lib/format/format.ts';
import { Tooltip } from '../tooltip.tsx';

interface Terms {
  promo_price: number | null;
  promo_expires: string | null;
  expires_at: string | null;
  batch_tag: string | null;
}

/** Each condition of a serial in short, and what it means. */
export function termsOf(
  { promo_price, promo_expires, expires_at, batch_tag }: Terms,
  owner?: string,
): [words: string, means: string][] {
  return [
    ...(promo_price === null
      ? []
      : [[`Promo ${formatMoney(promo_price)}`, 'What it is sold for instead of the product’s price.'] as const]),
    ...(promo_expires
      ? [
          [
            `promo expires ${formatChosen(promo_expires, 'end', owner)}`,
            'It may be sold until then. Who has bought it before can still redeem it.',
          ] as const,
        ]
      : []),
    ...(expires_at
      ? [
          [
            `redeem by ${formatChosen(expires_at, 'end', owner)}`,
            'Nobody can redeem it later. Once redeemed, it never ends.',
          ] as const,
        ]
      : []),
    ...(batch_tag ? [[batch_tag, 'The tag of its batch.'] as const] : []),
  ].map(([words, means]) => [words, means]);
}

/**
 * The conditions of a serial in one line, which explains each of them on hover, focus and touch.
 * @param owner the zone of the account whose dates these are, where that is not this one.
 */
export function TermsLine({ serial, owner }: { serial: Terms; owner?: string | undefined }) {
  const terms = termsOf(serial, owner);
  if (terms.length === 0) return null;
  return (
    <Tooltip
      content={
        <dl className="flex flex-col gap-1.5">
          {terms.map(([words, means]) => (
            <div key={words}>
              <dt className="figures font-medium wrap-anywhere first-letter:uppercase">{words}</dt>
              <dd className="text-muted">{means}</dd>
            </div>
          ))}
        </dl>
      }
    >
      {(trigger) => (
        <p
          {...trigger}
          className="figures w-fit max-w-full truncate rounded-[3px] text-xs text-muted decoration-line-strong decoration-dotted underline-offset-4 hover:underline"
        >
          {terms.map(([words]) => words).join(' · ')}
        </p>
      )}
    </Tooltip>
  );
}
