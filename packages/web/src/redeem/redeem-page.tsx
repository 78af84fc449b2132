import type { ProductCard, RedemptionResult } from '@tonerow/sdk';
import { useCallback, useEffect, useState } from 'react';
import { openProducts, RedeemError } from '../lib/redeem-api.ts';
import { Mark } from '../ui/mark.tsx';
import { Downloads } from './downloads.tsx';
import { messages as t } from './messages.ts';
import { NameStep } from './name-step.tsx';
import { SerialStep } from './serial-step.tsx';
import { rememberedToken, rememberToken } from './storage.ts';

type Step =
  | { name: 'opening'; token: string }
  | { name: 'unreachable'; token: string; message: string }
  | { name: 'serial' }
  | { name: 'who'; ticket: string }
  | { name: 'downloads'; token: string; products: ProductCard[] };

const texts = { offline: t.offline, failed: t.failed, unexpected: t.unexpected };

/** Serial, name when it is needed, downloads. */
export function RedeemPage({ search }: { search: URLSearchParams }) {
  const [step, setStep] = useState<Step>(() => {
    const token = rememberedToken();
    // a link with a serial in it means: redeem this one
    return token && !search.get('serial') ? { name: 'opening', token } : { name: 'serial' };
  });

  const open = useCallback(async (token: string) => {
    try {
      const { products } = await openProducts(token, texts);
      setStep({ name: 'downloads', token, products });
    } catch (error) {
      const refused = error instanceof RedeemError && error.status === 401;
      if (refused) rememberToken(null);
      setStep(refused ? { name: 'serial' } : { name: 'unreachable', token, message: (error as Error).message });
    }
  }, []);

  const opening = step.name === 'opening' ? step.token : null;
  useEffect(() => {
    if (opening) void open(opening);
  }, [opening, open]);

  const finish = (result: RedemptionResult) => {
    const { download_token, products } = result;
    if (!download_token || !products) return false;
    rememberToken(download_token);
    setStep({ name: 'downloads', token: download_token, products });
    return true;
  };

  return (
    <div className="page">
      <main className={step.name === 'downloads' ? 'wide' : 'narrow'}>
        {step.name === 'opening' && (
          <div className="waiting" role="status">
            <Mark className="mark" playing />
            <span>{t.opening}</span>
          </div>
        )}
        {step.name === 'unreachable' && (
          <div className="waiting">
            <p role="alert">{step.message}</p>
            <button type="button" className="quiet" onClick={() => setStep({ name: 'opening', token: step.token })}>
              {t.retry}
            </button>
          </div>
        )}
        {step.name === 'serial' && (
          <SerialStep
            serial={search.get('serial') ?? ''}
            email={search.get('email') ?? ''}
            dev={search.get('dev') ?? undefined}
            onTicket={(ticket) => setStep({ name: 'who', ticket })}
            onDone={finish}
          />
        )}
        {step.name === 'who' && (
          <NameStep ticket={step.ticket} onDone={finish} onBack={() => setStep({ name: 'serial' })} />
        )}
        {step.name === 'downloads' && (
          <Downloads
            products={step.products}
            onRefresh={() => void open(step.token)}
            onAnother={() => setStep({ name: 'serial' })}
          />
        )}
      </main>
      <footer>
        <Mark className="mark-small" />
        <span>Tonerow</span>
        <a href="/terms">Terms</a>
      </footer>
    </div>
  );
}
