/**
 * The parts of responses that the server signs: validation tokens, the key files of JUCE and HISE, and the time for
 * HISE.
 */

const TOKEN = /("(?:validation|new)_token":")([^"]+)(")/;
/** A key file's number follows its `#`: it is in XML, in JSON or a text of its own. */
const KEY_FILE = /(#[0-9a-f]{16})([0-9a-f])(?=[0-9a-f]{16})/gi;
/** HISE's signed time, in JSON and in the header of a key file that expires. */
const TIME = /(0x[0-9a-f]{16})([0-9a-f])(?=[0-9a-f]{16})/gi;
/** The token in a license file, in lines of its own before the end. */
const LEASE = /(\.\s*)([\w-])([\w-\s]+-----END TONEROW LICENSE-----)/;

export function tokenIn(body: string): string | undefined {
  return TOKEN.exec(body)?.[2];
}

export function withToken(body: string, token: string): string {
  return body.replace(TOKEN, (_all, before, _inside, after) => `${before}${token}${after}`);
}

/** Whether a response gives a plugin something that it could unlock by. */
export function isSigned(body: string): boolean {
  return forgedParts(body) !== body;
}

/** The same response with one character of every signature changed. */
export function forgedParts(body: string): string {
  const digit = (_all: string, before: string, inside: string) => `${before}${inside === '0' ? '1' : '0'}`;
  return body
    .replace(TOKEN, (_all, before, token, after) => before + withChangedSignature(token) + after)
    .replace(LEASE, (_all, before, first, after) => before + changed(first) + after)
    .replace(KEY_FILE, digit)
    .replace(TIME, digit);
}

function withChangedSignature(token: string): string {
  const at = token.lastIndexOf('.') + 1;
  return token.slice(0, at) + changed(token[at] ?? '') + token.slice(at + 1);
}

const changed = (character: string) => (character === 'A' ? 'B' : 'A');
