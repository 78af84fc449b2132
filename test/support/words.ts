import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/** Words that text for people must not have, and what to write instead. CONTRIBUTING.md has the whole glossary. */
const refused: readonly [wrong: RegExp, instead: string][] = [
  [/\be-mail(s|ed)?\b/i, 'email'],
  [/\bmail(s|ed)?\b(?! (?:servers?|clients?|filters?|system|apps?))/i, 'email'],
  [
    /(?<!\bcapital |\bupper-case |\blower-case )\bletters?\b(?!-spacing| or digits?|, digits| and digits| and numbers)/i,
    'email',
  ],
  [/\blicenc(?:e|es|ed|ing)\b/i, 'license'],
  [/\bcolours?\b/i, 'color'],
  [/\b(?:behaviour|favour\w*|centre\w*|grey|catalogue|cancelled|cancelling)\b/i, 'American spelling'],
  [/\b\w+(?:organis|recognis|authoris|initialis|normalis|optimis)\w*\b/i, 'American spelling'],
  [/\bsays?\b/i, 'is, shows, reports, specify'],
  [/\bstands?\b(?! ?by\b| out\b|-ins?\b)/i, 'is, means, matches'],
  [/\btells?\b/i, 'shows, reports, distinguishes'],
  [/\bwhom\b/i, 'a plainer sentence'],
  [/\bwhat (?:ha(?:s|ve|d) )?(?:becomes?|became|comes?|came) of\b/i, 'state, result'],
  [/\bis said\b/i, 'a plainer sentence: shows, is in, names'],
  [/\bwhat is \w+ is what\b/i, 'a plainer sentence, with its subject first'],
  [/\bfault of\b/i, 'error'],
  [/\b(?:he|him|his)\b/i, 'they'],
  [/\blook at your\b/i, 'check your'],
  [/\bgo(?:es)? on (?:work|where|as|for)/i, 'keep, continue'],
  [/\b(?:no|not|n’t|n't)\b[^.]{0,40}\bany more\b/i, 'no longer'],
];

/** Second names of what has one already: wrong in all that people read, but not in notes about the inside. */
const secondNames: readonly [wrong: RegExp, instead: string][] = [
  [/\b(?:promotions?|coupons?|vouchers?|discounts?)\b/i, 'promo'],
  [/\bsale (?:starts|ends|from|until|window)\b/i, 'promo starts, promo expires, promo'],
  [/\b(?:buyers?|purchasers?|end[- ]users?|musicians?)\b/i, 'customer'],
  [/\b(?:vendors?|publishers?)\b/i, 'developer'],
  [/\bdealers?\b/i, 'reseller'],
  [/\bserial (?:codes?|keys?)\b|\bproduct keys?\b/i, 'serial, or code for its characters'],
  [/\b(?:claim|register) (?:a|the|your|this|its) (?:serial|code|license)\b/i, 'redeem'],
  [/\b(?:block|ban|suspend|disable)(?:s|ned|ed|ing|d)? (?:a|the|this|your) serials?\b/i, 'revoke'],
  [/\b(?:un(?:revoke|block|ban))(?:s|ed|d|ing)?\b/i, 'reassign'],
  [/\bfree(?:s|d)? (?:up )?(?:a|the|its|their|your) (?:\w+ )?(?:seat|machine|computer)s?\b/i, 'release'],
  [/\b(?:slots?|activation limits?)\b/i, 'seat'],
  [/\bunregister\w*\b/i, 'deactivate'],
  [
    /\blog(?:s|ged|ging)? (?:in|out)\b|\blogins\b|\b(?:back|go) to login\b|\blogin (?:screen|page|form)\b/i,
    'sign in, sign out',
  ],
  [/\bAPI tokens?\b/i, 'access token'],
  [/\bendpoints?\b/i, 'webhook, for an address that events are sent to; operation, for a call'],
  [
    /\bturn(?:s|ed|ing)? (?:(?:it|them|this|these|that|those|the|two-factor|emails?|webhooks?|\w+ emails) ){0,3}(?:on|off)\b/i,
    'switch on, switch off',
  ],
  [/(?<![<"/])\bpictures?\b/i, 'image'],
  [/\b(?:last|next|your|monthly|months of) bills?\b/i, 'invoice'],
  [/\b(?:team members?|(?<!\/)plug-ins?)\b/i, 'the glossary’s word'],
  [/\b(?:tariffs?|allowances?|pricing tiers?)\b/i, 'plan, quota'],
];

/** The wrong words of a text; empty when there are none. @param names whether second names are wrong in it */
export function wrongWords(text: string, names = true): string[] {
  return wrongIn(text, [...refused, ...(names ? secondNames : [])]);
}

/** The same of a note among the sources: it may speak of letters of an alphabet, and of what has another name inside. */
export function wrongInNote(text: string): string[] {
  return wrongIn(text, refused.filter(([, instead]) => instead !== 'email' || /e-mail/.test(text)).concat(NOTES));
}

const NOTES: typeof refused = [
  [/\bmail(s|ed)?\b(?! (?:servers?|clients?|filters?|system|apps?))/i, 'email'],
  // a comment, which begins after a space; names of tests may
  [/^[* ]+of\b/i, 'the noun first: “the most serials of one customer”'],
];

function wrongIn(text: string, words: typeof refused): string[] {
  const line = text.replace(/\s+/g, ' ');
  return words.flatMap(([wrong, instead]) => {
    const found = wrong.exec(line);
    return found ? [`“${found[0]}”: write ${instead}`] : [];
  });
}

const sql =
  /\b(?:select\b.*\bfrom|insert into|update \w+ set|delete from|join \w+|where \w+|from mails|on conflict)\b/s;

interface Node {
  type: string;
  [key: string]: unknown;
}

/** The sentences and labels in a source file: strings with a space or a capital, and the text between JSX tags. */
export function textsOf(file: string, source = readFileSync(file, 'utf8')): string[] {
  const texts: string[] = [];
  visit(parseSync(file, source).program as unknown as Node, undefined);
  return texts.filter((text) => /\s|^[A-Z]/.test(text.trim()) && !sql.test(text));

  function visit(node: Node, parent: Node | undefined): void {
    if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType') return;
    if (node.type === 'JSXAttribute' && (node.name as Node).name === 'className') return;
    if (node.type === 'Literal' && typeof node.value === 'string') texts.push(node.value);
    if (node.type === 'JSXText') texts.push(node.value as string);
    if (node.type === 'TemplateLiteral' && parent?.type !== 'TaggedTemplateExpression')
      texts.push((node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…'));
    for (const child of Object.values(node).flat()) {
      if (child !== null && typeof child === 'object' && 'type' in child) visit(child as Node, node);
    }
  }
}

/** The texts for readers of the sources: comments, and in tests the names of what is proven. */
export function notesOf(file: string, source = readFileSync(file, 'utf8')): string[] {
  const { comments, program } = parseSync(file, source);
  const notes = comments.map(({ value }) =>
    value.replace(/^\s*\*/gm, '').replace(/`[^`]*`|\{@link [^}]*\}/g, '`code`'),
  );
  if (/\.test\.tsx?$/.test(file)) named(program as unknown as Node);
  return notes;

  function named(node: Node): void {
    const first = node.type === 'CallExpression' ? (node.arguments as Node[])[0] : undefined;
    if (first?.type === 'Literal' && typeof first.value === 'string' && isTest(node.callee as Node))
      notes.push(first.value);
    for (const child of Object.values(node).flat())
      if (child !== null && typeof child === 'object' && 'type' in child) named(child as Node);
  }
}

/** `it`, `describe`, and what they make: `it.each(…)`. */
function isTest(callee: Node | undefined): boolean {
  if (callee?.type === 'Identifier') return ['it', 'test', 'describe'].includes(callee.name as string);
  return callee?.type === 'MemberExpression' || callee?.type === 'CallExpression'
    ? isTest((callee.object ?? callee.callee) as Node)
    : false;
}

/** The prose of a Markdown file: no code, no addresses of links, no table of words to avoid. */
export function proseOf(markdown: string): string[] {
  return markdown
    .replace(/^## Words$.*?(?=^## )/ms, '')
    .replace(/^(```|~~~).*?^\1/gms, '')
    .replace(/`[^`]*`/g, '`code`')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/\n\s*\n/);
}
