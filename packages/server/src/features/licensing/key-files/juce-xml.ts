/** The XML that JUCE's OnlineUnlockStatus reads. A failure is always an ERROR: a MESSAGE reads as success to people. */

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function juceSuccess(message: string, keyFile?: string): string {
  const key = keyFile === undefined ? '' : `<KEY>${xmlEscape(keyFile)}</KEY>`;
  return `${HEAD}<MESSAGE message="${xmlEscape(message)}">${key}</MESSAGE>\n`;
}

/** @param url opened by some clients; stock clients show only the text, so the text contains it too. */
export function juceFailure(error: string, url?: string): string {
  const link = url === undefined ? '' : ` url="${xmlEscape(url)}"`;
  return `${HEAD}<ERROR error="${xmlEscape(url === undefined ? error : `${error} ${url}`)}"${link}/>\n`;
}

/** Drops control characters that XML does not allow; any reader turns line breaks in attributes into spaces. */
function xmlEscape(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\r\n]/gu, '')
    .replace(/[&<>"]/g, (char) => names[char] as string)
    .replaceAll('\r', '');
}

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
