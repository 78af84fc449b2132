import { edgeOf, PAPER } from './brand.ts';

const DARK_PAPER = '#131217';

interface Ink {
  paper: string;
  text: string;
  muted: string;
  line: string;
  edge: string;
}

/** The colors that are written at each element, for programs that drop style sheets, as Gmail may. */
export const LIGHT_INK = (color: string): Ink => ({
  paper: PAPER,
  text: '#18181b',
  muted: '#6a6a73',
  line: '#e4e4e7',
  edge: edgeOf(color, PAPER, '#71717a'),
});

const DARK_INK = (color: string): Ink => ({
  paper: DARK_PAPER,
  text: '#f2f0f6',
  muted: '#aaa5b6',
  line: '#373440',
  edge: edgeOf(color, DARK_PAPER, '#8b8698'),
});

/**
 * The dark version, for programs that read style sheets: Apple’s by the media query, Outlook’s on the web and on phones
 * by its own attributes. A logo keeps its light ground, because it may be dark itself,
 * and dark ink for the name that stands in its place until pictures are loaded.
 */
export function darkStyle(color: string): string {
  const { paper, text, muted, line, edge } = DARK_INK(color);
  const rules = (of: string) =>
    [
      `${of}.paper{background:${paper}!important;color:${text}!important}`,
      `${of}.muted{color:${muted}!important}`,
      `${of}.line{border-color:${line}!important}`,
      `${of}.button{border-color:${edge}!important}`,
      `${of}.logo{background:${PAPER};color:${LIGHT_INK(color).text};padding:6px 8px;border-radius:6px}`,
    ].join('');
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}@media(prefers-color-scheme:dark){${rules('')}}${rules('[data-ogsc] ')}`;
}
