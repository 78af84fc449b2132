import type { ReactNode } from 'react';
import type { Shop } from '#lib/types.ts';
import { Panel } from '#ui/page.tsx';
import { kindWords, licenseAddressOf } from '../kinds.ts';
import { Pasted } from './pasted.tsx';

interface StepListProps {
  shop: Shop;
  /** Ours, while it can be shown. */
  secret: string | undefined;
  onRotate: (() => void) | undefined;
  /** Takes the secret that the shop shows. */
  secretField: ReactNode;
}

/** The steps to click in a shop, in its own words, with the texts to paste there. */
export function StepList({ shop, secret, onRotate, secretField }: StepListProps) {
  const { steps } = kindWords[shop.kind];
  const license = licenseAddressOf(shop);
  return (
    <Panel className="overflow-hidden">
      <ol className="divide-y divide-line">
        {steps.map((step, at) => (
          <li key={step.text} className="flex gap-4 px-5 py-4">
            <span
              className="figures grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-medium text-accent-text"
              aria-hidden
            >
              {at + 1}
            </span>
            <div className="flex min-w-0 flex-1 flex-col gap-2">
              <div>
                {step.where ? <p className="font-medium wrap-anywhere">{step.where}</p> : null}
                <p className="text-muted">{step.text}</p>
              </div>
              {step.paste === 'address' ? <Pasted text={shop.address} what="the address" /> : null}
              {step.paste === 'license' && license ? <Pasted text={license} what="the license address" /> : null}
              {step.paste === 'secret' ? (
                secret ? (
                  <Pasted text={secret} what="the secret">
                    Shown once. If it gets lost, make a new one.
                  </Pasted>
                ) : (
                  <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
                    The secret was shown when it was made.
                    {onRotate ? (
                      <button
                        type="button"
                        onClick={onRotate}
                        className="rounded-sm font-medium text-accent-text underline decoration-accent-line underline-offset-4 hover:decoration-current"
                      >
                        Make a new one
                      </button>
                    ) : null}
                  </p>
                )
              ) : null}
              {step.takes === 'secret' ? secretField : null}
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
