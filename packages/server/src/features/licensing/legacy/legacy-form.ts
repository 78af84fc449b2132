import { hash } from 'node:crypto';
import { ActivateBody } from '../rules/activate-body.ts';
import { MachineId } from '../rules/license-fields.ts';
import { LicenseRefusal } from '../rules/license-status.ts';

/** The request of a plugin that was made for another system: fields of a form or of the address, all of them texts. */
export type LegacyForm = Readonly<Record<string, string>>;

/** The fields of a request; those of the body count before those of the address. */
export function formOf({ query, body }: { query: unknown; body?: unknown }): LegacyForm {
  const fields = Object.create(null) as Record<string, string>;
  for (const place of [query, body]) {
    for (const [name, value] of Object.entries((place ?? {}) as Record<string, unknown>)) {
      const first: unknown = Array.isArray(value) ? value[0] : value;
      if (typeof first === 'string' || typeof first === 'number') fields[name] = String(first).trim();
    }
  }
  return fields.edd_action ? decoded(fields) : fields;
}

/** Matches text that is encoded throughout; a name that only contains a percent sign is not. */
const ENCODED = /^(?:[\w.~!*'()-]|%[0-9a-f]{2})+$/i;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** EDD's sample encodes these fields itself, before the request does, and reads names off its pages. */
function decoded(fields: Record<string, string>): LegacyForm {
  for (const name of ['item_name', 'license', 'url']) {
    const sent = fields[name];
    if (sent !== undefined) fields[name] = sent.includes('%') && ENCODED.test(sent) ? unescaped(sent) : sent;
  }
  if (fields.item_name) fields.item_name = fields.item_name.replace(ENTITY, signOf);
  return fields;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text;
  }
}

function signOf(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name) return ENTITIES[name.toLowerCase()] as string;
  const point = decimal ? Number(decimal) : Number.parseInt(hex as string, 16);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : entity;
}

/** A machine of an old plugin. */
export interface LegacyMachine {
  /** Its id here, unless it has its seat under another spelling. */
  id: string;
  /** The part that all of its spellings have in common, in lower case. */
  core: string;
  /** Whether a seat's id is a spelling of it. */
  isSpelled(id: string): boolean;
}

/** An address with its scheme, a host with dots, and one with a slash at its end. */
const SITE = /^(?:https?:\/\/\S+|[^\s/:.]+(?:\.[^\s/:.]+)+(?::\d+)?(?:\/\S*)?|[^\s/:]+(?::\d+)?\/)$/i;

/**
 * A site is one machine with and without its scheme, `www.`, its port, capitals and the slash at its end, in which imports
 * and other plugins differ. What is no site is taken as it is.
 */
export function machineOf(text: string): LegacyMachine {
  const isSite = SITE.test(text);
  const core = isSite ? siteOf(text) : text;
  const id = idOf(core);
  return {
    id,
    core: core.toLowerCase(),
    isSpelled: (other) => other === id || (isSite ? siteOf(other) === core : other === text),
  };
}

function siteOf(text: string): string {
  const bare = text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '');
  return bare.replace(/^([^/:]+):\d+(?=\/|$)/, '$1').replace(/\/+$/, '');
}

/** Names may have spaces and commas, which ids of ours have not. */
function idOf(text: string): string {
  if (MachineId.safeParse(text).success) return text;
  const plain = encodeURIComponent(text.toWellFormed());
  return plain.length <= 256 ? plain : hash('sha256', text, 'hex');
}

/** As `activate` of v1 takes it. @throws {LicenseRefusal} invalid_request */
export function activationOf(fields: {
  license_key: string | undefined;
  machine_id: string;
  product_id: string | null;
  email?: string | null;
  label?: string | null;
}): ActivateBody {
  const form = ActivateBody.safeParse(fields);
  if (!form.success) throw new LicenseRefusal('invalid_request', form.error.issues[0]?.message);
  return form.data;
}
