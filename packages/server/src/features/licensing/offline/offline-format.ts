import { tidy } from '../rules/license-fields.ts';

/** What an offline machine reports about itself. */
export interface MachineFile {
  machineId: string;
  label: string | null;
  /** The plugin's name for itself, for its key file. */
  app: string | null;
  /** SHA-256 of a secret that only the machine has, hex. Older plugins send none. */
  releaseHash: string | null;
}

/** The proof of an offline machine that it gave its license file up. */
export interface ReleaseFile {
  secret: string;
  serialId: string;
  productId: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const BEGIN = '-----BEGIN TONEROW LICENSE-----';
const END = '-----END TONEROW LICENSE-----';

/**
 * Reads a machine file: JSON such as `{"machine_id": "L896D48A88", "device": "Studio", "app": "My Synth 1.0.0"}`, the
 * same in Base64 (as device tokens of other makers are), or nothing but the machine id. Null: it is none of them.
 */
export function readMachineFile(text: string): MachineFile | null {
  const trimmed = tidied(text);
  const json = jsonIn(trimmed);
  if (json !== null) return fromJson(json);
  if (trimmed === '' || /\s/.test(trimmed)) return null;
  return { machineId: trimmed, label: null, app: null, releaseHash: null };
}

/** Reads a release file: JSON with the secret, the serial and the product, or the same in Base64. Null: it is none. */
export function readRelease(text: string): ReleaseFile | null {
  const value = objectOf(jsonIn(tidied(text)) ?? '');
  const { release: secret, serial_id: serialId, product_id: productId } = value ?? {};
  if (!isHash(secret) || !isId(serialId) || !isId(productId)) return null;
  return { secret, serialId: serialId.toLowerCase(), productId: productId.toLowerCase() };
}

const tidied = (text: string) => text.replace(/^\uFEFF/, '').trim();

/** The JSON of a file that is JSON, or JSON in Base64. */
function jsonIn(trimmed: string): string | null {
  if (trimmed.startsWith('{')) return trimmed;
  if (!/^[A-Za-z0-9+/_=\s-]+$/.test(trimmed)) return null;
  const decoded = Buffer.from(trimmed.replace(/\s/g, ''), 'base64').toString();
  return decoded.startsWith('{') ? decoded : null;
}

function fromJson(text: string): MachineFile | null {
  const value = objectOf(text);
  const machineId = value?.machine_id ?? value?.id;
  if (!value || typeof machineId !== 'string') return null;
  return {
    machineId,
    label: tidy(value.device ?? value.name, 100),
    app: typeof value.app === 'string' ? value.app : null,
    releaseHash: isHash(value.release_hash) ? value.release_hash : null,
  };
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return null;
  }
}

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** The license file: lines for people, then the signed token, 64 characters a line. */
export function licenseEnvelope(facts: { product: string; until: Date; keysUrl: string; token: string }): string {
  return [
    BEGIN,
    `Product: ${facts.product.replace(/[#\p{Cc}]+/gu, ' ').trim()}`,
    `Valid until: ${facts.until.toISOString()}`,
    `Keys: ${facts.keysUrl}`,
    '',
    ...(facts.token.match(/.{1,64}/g) ?? []),
    END,
  ].join('\n');
}

/** The token of a license file, also when it is embedded in a key file; null when there is none. */
export function tokenInEnvelope(text: string): string | null {
  const body = text.replaceAll('\r', '').split(`${BEGIN}\n`)[1]?.split(`\n${END}`)[0];
  return body?.split('\n\n')[1]?.replaceAll('\n', '') ?? null;
}
