interface Line {
  role: string;
  /** The name, and the text behind it. */
  text: string;
}

/** The lines of Playwright's snapshot for assistive technology, without their depth. */
function linesOf(snapshot: string): Line[] {
  return snapshot.split('\n').flatMap((line) => {
    const [, role, name, rest] =
      /^\s*- '?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(?: \[[^\]]*\])*'?:?(?: (.*))?$/.exec(line) ?? [];
    if (!role) return [];
    const text = [name, rest].filter(Boolean).join(' ').replaceAll('\\"', '"');
    return [{ role, text }];
  });
}

const PARTS = { headings: ['heading'], dialogs: ['dialog', 'alertdialog'], alerts: ['alert', 'status'] };

/** A page in a few lines: its headings, open dialogs and alerts. */
export function outlineOf(snapshot: string): string[] {
  const lines = linesOf(snapshot);
  if (lines.length === 0) return ['the page is empty'];
  return Object.entries(PARTS).flatMap(([part, roles]) => {
    const texts = lines.filter(({ role, text }) => roles.includes(role) && text).map(({ text }) => short(text));
    return texts.length > 0 ? [`${part}: ${texts.slice(0, 8).join(' | ')}`] : [];
  });
}

/** Up to five things on the page whose role and words are most like those that a locator asks for. */
export function nearestTo(locator: string, snapshot: string): string[] {
  const last = locator.slice(Math.max(locator.lastIndexOf('getBy'), 0));
  const role = /^getByRole\('(\w+)'/.exec(last)?.[1];
  const words = /(?:name: |getBy(?!Role)\w+\()(?:'((?:[^'\\]|\\.)*)'|\/((?:[^/\\]|\\.)*)\/)/.exec(last);
  const wanted = words?.[1] ?? words?.[2] ?? '';
  const rated = linesOf(snapshot)
    .filter(({ text }) => text)
    .map((line) => ({ ...line, likeness: likeness(wanted, line.text) + (line.role === role ? 0.3 : 0) }))
    .filter(({ likeness }) => likeness >= 0.3)
    .toSorted((a, b) => b.likeness - a.likeness);
  const shown = new Set(rated.map((line) => `${line.role} "${short(line.text)}"`));
  return shown.size > 0 ? [`nearest: ${[...shown].slice(0, 5).join(', ')}`] : [];
}

const short = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

/** The share of pairs of letters that two texts have in common, from 0 to 1. */
function likeness(one: string, other: string): number {
  const [pairs, others] = [pairsOf(one), pairsOf(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return shared === 0 ? 0 : (2 * shared) / (pairs.size + others.size);
}

function pairsOf(text: string): Set<string> {
  const letters = text.toLowerCase();
  return new Set([...letters].slice(1).map((letter, index) => `${letters[index]}${letter}`));
}
