import { tidy } from '../rules/license-fields.ts';

/** What an offline machine reports about itself. */
export interface MachineFile {
  machineId: string;
  label: string | null;
  /** What the plugin calls itself, for its key file. */
  app: string | null;
}

const BEGIN = '-----BEGIN TONEROW LICENSE-----';
const END = '-----END TONEROW LICENSE-----';

/**
 * Reads a machine file: JSON such as `{"machine_id": "L896D48A88", "device": "Studio", "app": "My Synth 1.0.0"}`, the
 * same in Base64 (as device tokens of other makers are), or nothing but the machine id. Null: it is none of them.
 */
export function readMachineFile(text: string): MachineFile | null {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed.startsWith('{')) return fromJson(trimmed);
  if (/^[A-Za-z0-9+/_=\s-]+$/.test(trimmed)) {
    const decoded = Buffer.from(trimmed.replace(/\s/g, ''), 'base64').toString();
    if (decoded.startsWith('{')) return fromJson(decoded);
  }
  return trimmed === '' || /\s/.test(trimmed) ? null : { machineId: trimmed, label: null, app: null };
}

function fromJson(text: string): MachineFile | null {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    const machineId = value.machine_id ?? value.id;
    if (typeof machineId !== 'string') return null;
    const app = typeof value.app === 'string' ? value.app : null;
    return { machineId, label: tidy(value.device ?? value.name, 100), app };
  } catch {
    return null;
  }
}

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
