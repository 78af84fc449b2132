/**
 * The texts of the HISE form are those of the JUCE panel: `packages/plugin/hise/TonerowTexts.js` is made from its table, under the
 * same names, with the few that only HISE needs. `npm run gen` writes it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export const HISE_TEXTS = 'packages/plugin/hise/TonerowTexts.js';
const STRINGS = 'packages/plugin/tonerow_juce/panel/Strings.cpp';
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'] as const;

/** Texts for which the JUCE panel has no field or screen. */
const ONLY_HISE: Record<string, readonly [string, string, string, string, string]> = {
  firstName: ['First name', 'Vorname', 'Prénom', 'Nombre', '名'],
  lastName: ['Last name', 'Nachname', 'Nom', 'Apellidos', '姓'],
  missingFields: [
    'Please enter your serial, your name and your email address.',
    'Bitte gib deine Seriennummer, deinen Namen und deine E-Mail-Adresse ein.',
    'Saisissez votre numéro de série, votre nom et votre adresse e-mail.',
    'Introduce tu número de serie, tu nombre y tu correo electrónico.',
    'シリアル番号、お名前、メールアドレスを入力してください。',
  ],
  browserHere: [
    'Open this page here or on a phone, and compare the code: {code}\n{address}',
    'Öffne diese Seite hier oder auf einem Telefon, und vergleiche den Code: {code}\n{address}',
    'Ouvrez cette page ici ou sur un téléphone, et comparez le code : {code}\n{address}',
    'Abre esta página aquí o en un teléfono y compara el código: {code}\n{address}',
    'ここまたはスマートフォンでこのページを開き、コードを確認してください: {code}\n{address}',
  ],
  detailsHere: [
    'Serial {serial}',
    'Seriennummer {serial}',
    'Numéro de série {serial}',
    'Número de serie {serial}',
    'シリアル番号 {serial}',
  ],
  offlineHere: [
    '1. Save the machine file.\n2. Exchange it for a license file on the page of your products, on any computer.\n3. Load that file here, or paste its text.',
    '1. Speichere die Gerätedatei.\n2. Tausche sie auf der Seite deiner Produkte gegen eine Lizenzdatei, an einem beliebigen Computer.\n3. Lade diese Datei hier, oder füge ihren Text ein.',
    '1. Enregistrez le fichier machine.\n2. Échangez-le contre un fichier de licence sur la page de vos produits, depuis n’importe quel ordinateur.\n3. Chargez ce fichier ici, ou collez son texte.',
    '1. Guarda el archivo del equipo.\n2. Cámbialo por un archivo de licencia en la página de tus productos, en cualquier ordenador.\n3. Carga ese archivo aquí o pega su texto.',
    '1. マシンファイルを保存します。\n2. 別のコンピューターのマイ製品ページで、ライセンスファイルと交換します。\n3. そのファイルをここで読み込むか、内容を貼り付けます。',
  ],
  more: ['More', 'Weitere', 'Suivants', 'Más', '次へ'],
};

/**
 * Texts that a form in HISE replaces or does not need: it draws no QR codes, takes no dropped files, and goes away once
 * all is well.
 */
const ONLY_JUCE = ['qrCode', 'browserBody', 'offlineBody', 'successTitle', 'successBody'];

export interface HiseTexts {
  texts: Record<(typeof LANGUAGES)[number], Record<string, string>>;
  /** The name of the text for each status of the server. */
  refusals: Record<string, string>;
}

export function hiseTexts(): HiseTexts {
  const source = readFileSync(STRINGS, 'utf8');
  const texts = Object.fromEntries(LANGUAGES.map((each) => [each, {}])) as HiseTexts['texts'];
  const put = (name: string, all: readonly string[]) => {
    if (all.length !== LANGUAGES.length) throw new Error(`${name} has ${all.length} languages`);
    for (const [at, language] of LANGUAGES.entries()) texts[language][name] = all[at] as string;
  };
  const known = new Set<string>();
  for (const [, name = '', all = ''] of source.matchAll(
    /\{ &StringFields::\w+, "(\w+)",\s+\{((?:\s*"(?:[^"\\]|\\.)*",?)+) \} \}/g,
  )) {
    known.add(name);
    if (!ONLY_JUCE.includes(name))
      put(
        name,
        [...all.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((each) => JSON.parse(`"${each[1]}"`)),
      );
  }
  for (const name of ONLY_JUCE) if (!known.has(name)) throw new Error(`there is no text ${name}`);
  for (const [name, all] of Object.entries(ONLY_HISE)) {
    if (known.has(name)) throw new Error(`the text ${name} is there twice`);
    put(name, all);
  }
  const table = source.slice(source.indexOf('constexpr Refusal refusals[]'));
  const refusals = Object.fromEntries(
    [...table.slice(0, table.indexOf(';')).matchAll(/\{ "(\w+)", &StringFields::(\w+) \}/g)].map((each) => [
      each[1],
      each[2],
    ]),
  );
  return { texts, refusals };
}

const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
const object = (fields: Record<string, string>, indent: string) =>
  Object.entries(fields)
    .map(([name, text]) => `${indent}${name}: ${quoted(text)}`)
    .join(',\n');

export function hiseTextsFile(): string {
  const { texts, refusals } = hiseTexts();
  const languages = LANGUAGES.map((each) => `        ${each}: {\n${object(texts[each], '            ')}\n        }`);
  return `// SPDX-License-Identifier: ISC
// The texts of TonerowPanel.js in five languages. Made by npm run gen from those of the JUCE panel: replace single ones by
// TonerowPanel.setText(name, text), which a newer version of this file leaves alone.

namespace TonerowTexts
{
    const var tonerowTextTable = {
${languages.join(',\n')}
    };

    // by the server's status of a refusal
    const var tonerowTextRefusals = {
${object(refusals, '        ')}
    };
}
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(HISE_TEXTS, hiseTextsFile());
