/** Genuine tokens to lie with: the server signs them for test serials, and only for keys that are made for tests. */

/** The lies that need such a token, and the serial that each is asked by. */
export const tokenSerials: Record<string, string> = {
  expired: 'TEST-OLDT-LIES-AAAA',
  'wrong-product': 'TEST-WRNG-LIES-AAAA',
};

export const NEEDS_TEST_KEY = 'Forged tokens need a test plugin key: create one with "tonerow keys create --test".';

interface Question {
  path: string;
  body: string;
}

const TOKEN = /("(?:validation|new)_token":")([^"]+)(")/;

export function tokenIn(body: string): string | undefined {
  return TOKEN.exec(body)?.[2];
}

export function withToken(body: string, token: string): string {
  return body.replace(TOKEN, (_all, before, _inside, after) => `${before}${token}${after}`);
}

/**
 * What the plugin asked, about a test serial: the same machine, the same credentials, the same product. A plugin that
 * names no product is lied to about the one that its genuine token is for.
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
    // a test serial cannot be moved, and is no trial
    path: path.replace(/\/v1\/(transfer|trial)\b/, '/v1/validate'),
    body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields as Record<string, string>).toString(),
  };
}

function audienceOf(token: string): string {
  return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { aud: string }).aud;
}
