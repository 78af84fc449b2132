/** Genuine tokens to forgery with: the server signs them for test serials, and only for test plugin keys. */

/** The forgeries that need such a token, each with its test serial. */
export const tokenSerials: Record<string, string> = {
  expired: 'TEST-OLDT-LIES-AAAA',
  'wrong-product': 'TEST-WRNG-LIES-AAAA',
};

export const NEEDS_TEST_KEY = 'Forged tokens need a test plugin key: create one with "tonerow keys create --test".';

interface Question {
  path: string;
  body: string;
}

/**
 * The plugin's request with a test serial: the same machine, credentials and product. Without a product in the request,
 * the product of the genuine token.
 */
export function aboutSerial(serial: string, { path, body }: Question, genuine: string): Question {
  const text = body.trim();
  const isJson = text.startsWith('{');
  const sent = (isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))) as Record<string, unknown>;
  const fields = {
    ...sent,
    [path.includes('/v1/') ? 'license_key' : 'key']: serial,
    product_id: sent.product_id || audienceOf(genuine),
  };
  return {
    // test serials support neither transfers nor trials
    path: path.replace(/\/v1\/(transfer|trial)\b/, '/v1/validate'),
    body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields as Record<string, string>).toString(),
  };
}

function audienceOf(token: string): string {
  return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { aud: string }).aud;
}
