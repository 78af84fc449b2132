/** Reads what JUCE reads, by plain arithmetic and with the public key only, so that it owes the server nothing. */

/** The payload of a key file, as JUCE's decryptXML finds it: what follows the last `#`, without anything but hex. */
export function juceTextOf(keyFile: string, publicKey: string): string {
  const hex = keyFile.slice(keyFile.lastIndexOf('#') + 1).replace(/[^0-9a-f]/gi, '');
  const [exponent, modulus] = publicKey.split(',').map((part) => BigInt(`0x${part}`)) as [bigint, bigint];
  let value = BigInt(`0x${hex}`);
  let result = 0n;
  while (value > 0n) {
    result = result * modulus + power(value % modulus, exponent, modulus);
    value /= modulus;
  }
  const text = result.toString(16);
  return Buffer.from(text.length % 2 === 1 ? `0${text}` : text, 'hex')
    .reverse()
    .toString('utf8');
}

/** The attributes of the payload's key element. */
export function juceKeyOf(keyFile: string, publicKey: string): Record<string, string> {
  const xml = juceTextOf(keyFile, publicKey);
  const inner = /^<\?xml version="1.0" encoding="UTF-8"\?> <key (.*)\/>$/.exec(xml)?.[1];
  if (inner === undefined) throw new Error(`no key element: ${xml.slice(0, 80)}`);
  return attributesOf(inner);
}

/** The parts of an answer that OnlineUnlockStatus::handleXmlReply takes. */
export function juceReply(xml: string) {
  const root = /^<\?xml version="1.0" encoding="UTF-8"\?>\s*<(MESSAGE|ERROR) ([^>]*?)(?:\/>|>([\s\S]*)<\/\1>)\s*$/.exec(
    xml,
  );
  if (!root) throw new Error(`not one document: ${xml.slice(0, 80)}`);
  const attributes = attributesOf(root[2] as string);
  const key = /^<KEY>([\s\S]*)<\/KEY>$/.exec(root[3] ?? '')?.[1];
  return {
    tag: root[1],
    message: attributes.message,
    error: attributes.error,
    url: attributes.url,
    key: key === undefined ? undefined : plain(key).trim(),
  };
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([a-zA-Z_]+)="([^"<]*)"/g)].map((match) => [match[1], plain(match[2] as string)]),
  );
}

function plain(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return text.replace(/&(?:#(\d+)|(\w+));/g, (_all, code: string | undefined, name: string) =>
    code ? String.fromCodePoint(Number(code)) : (names[name] as string),
  );
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}
