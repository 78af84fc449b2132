import { hash } from 'node:crypto';
import { ActivateBody } from '../rules/activate-body.ts';
import { MachineId } from '../rules/license-fields.ts';
import { LicenseRefusal } from '../rules/license-status.ts';

/** What a plugin that was made for another system sends: fields of a form or of the address, all of them texts. */
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

/** What is encoded throughout; a name that only has a percent sign in it is not. */
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

/**
 * The machine by its names, the common one first: an address is one machine with and without its scheme, `www.` and
 * the slash at its end, in which imports and other plugins may differ. What is no address is taken as it is.
 */
export function machinesOf(text: string): string[] {
  const spellings = [text];
  if (/^https?:\/\//i.test(text)) {
    const bare = text.replace(/^https?:\/\//i, '').replace(/\/+$/, '');
    const short = bare.replace(/^www\./i, '');
    spellings.unshift(short.toLowerCase(), short, bare, `${bare}/`);
  }
  return [...new Set(spellings.filter((each) => each !== '').map(idOf))];
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
  machines: readonly string[];
  product_id: string | null;
  email: string | undefined;
}): ActivateBody {
  const { machines, email, ...rest } = fields;
  const [machine_id, ...old_machine_ids] = machines;
  const form = ActivateBody.safeParse({ ...rest, machine_id, old_machine_ids, email: email || null });
  if (!form.success) throw new LicenseRefusal('invalid_request', form.error.issues[0]?.message);
  return form.data;
}
