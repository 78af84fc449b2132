import type { Appearance, Stripe, StripeElements } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTheme } from '#lib/theme.ts';

/** A network that drops the script reports no error. */
const LOAD_MS = 20_000;

async function load(publishableKey: string): Promise<Stripe> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('Stripe.js did not arrive')), LOAD_MS);
  });
  try {
    const stripe = await Promise.race([loadStripe(publishableKey), late]);
    if (!stripe) throw new Error('Stripe.js is not for this browser');
    return stripe;
  } finally {
    clearTimeout(timer);
  }
}

/** Stripe's fields live in frames of Stripe's, which our styles can't reach. */
function appearanceNow(): Appearance {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    theme: document.documentElement.classList.contains('dark') ? 'night' : 'stripe',
    variables: {
      colorPrimary: token('--accent-text'),
      colorBackground: token('--surface'),
      colorText: token('--text'),
      colorTextSecondary: token('--muted'),
      colorTextPlaceholder: token('--faint'),
      colorDanger: token('--bad'),
      borderRadius: token('--radius-md'),
      fontSizeBase: token('--size-base'),
      fontFamily: 'ui-sans-serif, system-ui, sans-serif',
    },
  };
}

/** The result for a card: null if Stripe accepted it, otherwise Stripe's words. */
export type Confirmed = { refused: string } | null;

/** Lets the cardholder's bank ask, over this page, before a payment is charged to a card that is kept. */
export async function confirmWithBank(publishableKey: string, clientSecret: string, card: string): Promise<Confirmed> {
  const stripe = await load(publishableKey).catch(() => null);
  if (!stripe) {
    return {
      refused:
        'Stripe’s script couldn’t be loaded. Something between you and js.stripe.com may be blocking it, such as an ad blocker or a company network.',
    };
  }
  const { error } = await stripe.confirmPayment({
    clientSecret,
    redirect: 'if_required',
    confirmParams: { payment_method: card, return_url: window.location.href },
  });
  return error ? { refused: error.message ?? 'The payment could not be confirmed.' } : null;
}

interface StripeForm {
  /** The element for the fields. */
  mount: RefObject<HTMLDivElement | null>;
  state: 'loading' | 'ready' | 'failed';
  /** Whether everything is filled in. */
  complete: boolean;
  /** Loads Stripe's script again. */
  retry: () => void;
  confirm: () => Promise<Confirmed>;
}

/** Stripe's own fields for a card, in an element of ours. */
export function useStripeForm(publishableKey: string, clientSecret: string): StripeForm {
  const mount = useRef<HTMLDivElement>(null);
  const made = useRef<{ stripe: Stripe; elements: StripeElements }>(undefined);
  const [state, setState] = useState<StripeForm['state']>('loading');
  const [complete, setComplete] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const { theme } = useTheme();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is the same work again
  useEffect(() => {
    let unmounted = false;
    setState('loading');
    setComplete(false);
    load(publishableKey)
      .then((stripe) => {
        if (unmounted || !mount.current) return;
        const elements = stripe.elements({ clientSecret, appearance: appearanceNow() });
        const card = elements.create('payment', { layout: 'tabs' });
        card.on('ready', () => setState('ready'));
        card.on('loaderror', () => setState('failed'));
        card.on('change', (change) => setComplete(change.complete));
        card.mount(mount.current);
        made.current = { stripe, elements };
      })
      .catch(() => {
        if (!unmounted) setState('failed');
      });
    return () => {
      unmounted = true;
      made.current?.elements.getElement('payment')?.destroy();
      made.current = undefined;
    };
  }, [publishableKey, clientSecret, attempt]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the appearance follows the theme
  useEffect(() => {
    void made.current?.elements.update({ appearance: appearanceNow() });
  }, [theme]);

  const confirm = async (): Promise<Confirmed> => {
    if (!made.current) throw new Error('Stripe.js is not loaded');
    const { stripe, elements } = made.current;
    const submitted = await elements.submit();
    if (submitted.error) return { refused: submitted.error.message ?? 'Please check what you entered.' };
    const { error } = await stripe.confirmSetup({
      elements,
      clientSecret,
      redirect: 'if_required',
      confirmParams: { return_url: window.location.href },
    });
    return error ? { refused: error.message ?? 'Your card could not be saved.' } : null;
  };

  return { mount, state, complete, retry: () => setAttempt((count) => count + 1), confirm };
}
