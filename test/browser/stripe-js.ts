import type { BrowserContext, Route } from '@playwright/test';
import { Refusal } from '@tonerow/test-support/stripe/refusals.ts';
import { PUBLISHABLE_KEY, type StripeStandIn } from '@tonerow/test-support/stripe/stand-in.ts';

/** The fields of a card, in a frame of Stripe's own origin, as Stripe has them. */
const FRAME = `<!doctype html><html lang="en"><head><title>Card</title><style>
  body { margin: 0; font: 14px system-ui, sans-serif; color: var(--text); background: transparent }
  label { display: block; margin-bottom: 12px } .two { display: grid; grid-template-columns: 1fr 1fr; gap: 12px }
  input { display: block; box-sizing: border-box; width: 100%; height: 42px; margin-top: 4px; padding: 0 12px; font: inherit; color: inherit; background: var(--field); border: 1px solid gray; border-radius: 9px }
</style><script>
  // a test may write before the page is read to its end
  const tell = (message) => parent.postMessage({ card: message }, '*');
  document.addEventListener('input', () => {
    const fields = [...document.querySelectorAll('input')];
    tell({ number: fields[0].value, complete: fields.every((each) => each.value) });
  });
  addEventListener('message', ({ data }) => { for (const [name, value] of Object.entries(data.colors)) document.documentElement.style.setProperty(name, value) });
  addEventListener('DOMContentLoaded', () => tell({ ready: true }));
</script></head><body>
<label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234"></label>
<div class="two"><label>Expiration date <input name="expiry" autocomplete="cc-exp" placeholder="MM / YY"></label><label>Security code <input name="code" autocomplete="cc-csc" placeholder="CVC"></label></div>
</body></html>`;

/** The bank's page. It hears a click from its first moment, however late the rest of it is read. */
const BANK = `<!doctype html><html lang="en"><head><title>Your bank</title><script>
  document.addEventListener('click', async ({ target }) => {
    if (target.localName !== 'button') return;
    const response = await fetch(location.pathname, { method: 'POST', body: target.textContent });
    parent.postMessage({ bank: await response.json() }, '*');
  });
</script></head><body>
<h1>Your bank asks: is it you?</h1><button>Complete</button> <button>Fail</button>
</body></html>`;

/**
 * The part of Stripe.js that the dashboard uses, and nothing else. It calls the API as Stripe.js does, so the page's
 * content policy counts.
 */
const SCRIPT = `window.Stripe = Object.assign(function (key) {
  if (key !== ${JSON.stringify(PUBLISHABLE_KEY)}) throw new Error('not the publishable key');
  const confirm = async (kind, clientSecret, what) => {
    const id = clientSecret.split('_secret_')[0];
    const body = new URLSearchParams({ key, client_secret: clientSecret, ...what });
    const response = await fetch('https://api.stripe.com/v1/' + kind + '/' + id + '/confirm', { method: 'POST', body });
    const answer = await response.json();
    if (!response.ok) return { error: answer.error };
    return answer.status === 'requires_action' ? ask(id) : { [kind === 'setup_intents' ? 'setupIntent' : 'paymentIntent']: answer };
  };
  // the bank's question, over everything, in a frame that the page's content policy has to allow
  const ask = (id) => new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.title = '3D Secure';
    frame.style.cssText = 'position:fixed;inset:0;z-index:99;width:100%;height:100%;border:0;background:white;color-scheme:normal';
    frame.src = 'https://hooks.stripe.com/3d_secure/' + id;
    const hear = ({ source, data }) => {
      if (source !== frame.contentWindow || !data.bank) return;
      removeEventListener('message', hear);
      frame.remove();
      resolve(data.bank);
    };
    addEventListener('message', hear);
    document.body.append(frame);
  });
  return {
    elements({ clientSecret, appearance }) {
      if (!clientSecret) throw new Error('no client secret');
      let listeners = {}, frame, number = '', complete = false;
      const paint = ({ variables }) => frame?.contentWindow.postMessage({ colors: { '--text': variables.colorText, '--field': variables.colorBackground } }, '*');
      const hear = ({ source, data }) => {
        if (!frame || source !== frame.contentWindow || !data.card) return;
        if (data.card.ready) { paint(appearance); listeners.ready?.({ elementType: 'payment' }); }
        else { number = data.card.number; complete = data.card.complete; listeners.change?.({ complete, empty: false }); }
      };
      addEventListener('message', hear);
      const element = {
        on(name, listener) { listeners[name] = listener; return element; },
        mount(place) {
          frame = document.createElement('iframe');
          frame.title = 'Secure card payment input frame';
          frame.style.cssText = 'border:0;width:100%;height:148px;color-scheme:normal';
          frame.src = 'https://js.stripe.com/endive/card.html';
          place.append(frame);
        },
        destroy() { removeEventListener('message', hear); frame?.remove(); frame = undefined; },
      };
      return {
        create(kind) { if (kind !== 'payment') throw new Error('no element ' + kind); return element; },
        getElement: () => element,
        update: ({ appearance: next }) => { appearance = next; paint(next); },
        submit: async () => (complete ? {} : { error: { message: 'Your card details are incomplete.' } }),
        get number() { return number; },
      };
    },
    confirmSetup: ({ elements, clientSecret }) => confirm('setup_intents', clientSecret, { 'payment_method_data[type]': 'card', 'payment_method_data[card][number]': elements.number }),
    confirmPayment({ clientSecret, confirmParams, redirect }) {
      if (redirect !== 'if_required') throw new Error('it would leave the page');
      return confirm('payment_intents', clientSecret, { payment_method: confirmParams.payment_method });
    },
  };
}, { version: 'endive' });`;

/** Answers for js.stripe.com, hooks.stripe.com and api.stripe.com, which can't be reached here. */
export async function standInForStripe(
  context: BrowserContext,
  stripe: Pick<StripeStandIn, 'url' | 'authenticate'>,
): Promise<void> {
  await context.route('https://js.stripe.com/endive/stripe.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  );
  await context.route('https://js.stripe.com/endive/card.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: FRAME }),
  );
  await context.route('https://hooks.stripe.com/3d_secure/*', (route) => {
    const request = route.request();
    if (request.method() === 'GET') return route.fulfill({ contentType: 'text/html', body: BANK });
    const id = new URL(request.url()).pathname.split('/').at(-1) ?? '';
    return route.fulfill({ json: answered(stripe, id, request.postData() === 'Complete') });
  });
  await context.route('https://api.stripe.com/**', async (route: Route) => {
    const { pathname } = new URL(route.request().url());
    const response = await fetch(stripe.url + pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: route.request().postData(),
    });
    await route.fulfill({
      status: response.status,
      contentType: 'application/json',
      headers: { 'access-control-allow-origin': '*' },
      body: await response.text(),
    });
  });
}

function answered(stripe: Pick<StripeStandIn, 'authenticate'>, id: string, confirmed: boolean): object {
  try {
    const answer = stripe.authenticate(id, confirmed);
    return answer.object === 'setup_intent' ? { setupIntent: answer } : { paymentIntent: answer };
  } catch (error) {
    if (error instanceof Refusal) return { error: error.error };
    throw error;
  }
}
