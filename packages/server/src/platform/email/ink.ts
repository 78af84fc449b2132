import { edgeOf } from './brand.ts';

/** Colors of the ground, the card on it, the box in the card, and what is written there. */
export const INK = {
  light: {
    paper: '#f7f7f8',
    card: '#ffffff',
    plate: '#f4f4f5',
    text: '#18181b',
    muted: '#6a6a73',
    line: '#e4e4e7',
    edge: '#71717a',
  },
  dark: {
    paper: '#131217',
    card: '#1c1a22',
    plate: '#26242e',
    text: '#f2f0f6',
    muted: '#aaa5b6',
    line: '#373440',
    edge: '#8b8698',
  },
};

/** The silent notes of our mark. */
export const OUR_REST = '#d0bdf6';

/** Around a button of the color, on the light and on the dark card. */
export const edges = (color: string) => ({
  light: edgeOf(color, INK.light.card, INK.light.edge),
  dark: edgeOf(color, INK.dark.card, INK.dark.edge),
});

/**
 * The dark version, for programs that read style sheets: Apple’s by the media query, Outlook’s on the web and on phones
 * by its own attributes. A logo keeps its light background, because it may be dark itself. The name that is shown until
 * images are loaded stays dark.
 */
export function darkStyle(color: string): string {
  const { paper, card, plate, text, muted, line } = INK.dark;
  const rules = (of: string) =>
    [
      `${of}.paper{background:${paper}!important;color:${text}!important}`,
      `${of}.card{background:${card}!important;border-color:${line}!important}`,
      `${of}.plate{background:${plate}!important;border-color:${line}!important}`,
      `${of}.muted{color:${muted}!important}`,
      `${of}.line{border-color:${line}!important}`,
      `${of}.button{border-color:${edges(color).dark}!important}`,
      `${of}.logo{background:${INK.light.paper};color:${INK.light.text};padding:6px 8px;border-radius:6px}`,
      `${of}.note{background:#c5f04a!important}`,
      `${of}.rest{background:#48532a!important}`,
    ].join('');
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}@media(prefers-color-scheme:dark){${rules('')}}${rules('[data-ogsc] ')}`;
}
