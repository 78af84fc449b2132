import { expect, it } from 'vitest';
import { inDrawnOrder, readable } from './readable.ts';

const latin = (codePoint: number) => codePoint < 0x250;

it.each([
  ['Ørsted & Söhne\nBerlin', 'Ørsted & Söhne\nBerlin'],
  ['日本音楽', 'RiBenYinLe'],
  ['한국 Audio', 'HanGug Audio'],
  ['Ωμέγα', 'Omega'],
  ['Loud 😀 Labs', 'Loud :grinning: Labs'],
  // a joined emoji: its joiners and its variation selector draw nothing
  ['👩‍🎤️', ':woman::microphone:'],
  // nobody knows how to write a private character
  ['\ue000 Inc.', '? Inc.'],
])('%s is drawn as %s by a font of Latin letters', (text, drawn) => {
  expect(readable(text, latin)).toBe(drawn);
});

it('leaves alone what the font has', () => {
  expect(readable('日本 😀', () => true)).toBe('日本 😀');
});

it.each([
  ['Row Audio 12', 'Row Audio 12'],
  ['אולפן המוזיקה', 'אולפן\u00a0המוזיקה'],
  ['אולפן המוזיקה Ltd', '\u00a0אולפן\u00a0המוזיקה Ltd'],
  ['רחוב הרצל 12, תל אביב\nIsrael', '\u00a0רחוב\u00a0הרצל 12, תל\u00a0אביב\nIsrael'],
  ['استوديو الموسيقى', 'استوديو\u00a0الموسيقى'],
])('%s keeps the order of its words', (text, drawn) => {
  expect(inDrawnOrder(text)).toBe(drawn);
});
