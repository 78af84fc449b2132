import { expect } from 'vitest';
import type { HisePlugin } from './host.ts';
import { HiseObject, int, toScript } from './values.ts';

export const titleOf = (plugin: HisePlugin) =>
  plugin.screen.shown().length > 0 ? plugin.screen.textIn('TonerowTitle') : 'hidden';
export const bodyOf = (plugin: HisePlugin) => plugin.screen.textIn('TonerowBody');
export const messageOf = (plugin: HisePlugin) => plugin.screen.textIn('TonerowMessage');
export const buttonsOf = (plugin: HisePlugin) =>
  plugin.screen
    .shown()
    .filter(({ name }) => name.startsWith('TonerowButton'))
    .map(({ name }) => plugin.screen.textIn(name));

export const fill = (plugin: HisePlugin, fields: Record<string, string>) => {
  for (const [name, text] of Object.entries(fields))
    plugin.screen.components.get(`Tonerow${name}`)?.properties.set('text', text);
};
export const callPanel = (plugin: HisePlugin, name: string) =>
  plugin.engine.namespaces.get('TonerowPanel')?.inlineFunctions.get(name)?.call([]);
/** The code that the page shows. */
export const codeOn = (plugin: HisePlugin) => /\b[B-Z]{4}-[B-Z]{4}\b/.exec(bodyOf(plugin))?.[0] as string;

export function constant(plugin: HisePlugin, space: string, name: string): HiseObject {
  const found = plugin.engine.namespaces.get(space)?.constants.get(name);
  if (!(found instanceof HiseObject)) throw new Error(`no ${space}.${name}`);
  return found;
}

/** The QR code that is drawn, without the margin of four squares that a camera needs. */
export function qrIn(plugin: HisePlugin): string[] {
  const [back, ...dark] = plugin.screen.rectangles;
  if (!back) return [];
  const [left, top, side] = back.area;
  const square = dark[0]?.area[2] as number;
  expect([back.colour, new Set(dark.map(({ colour }) => colour))]).toEqual([0xffffffff, new Set([0xff000000])]);
  const rows = Array.from({ length: side / square - 8 }, () => Array.from({ length: side / square - 8 }, () => 0));
  for (const { area } of dark) {
    expect(area.slice(2)).toEqual([square, square]);
    (rows[(area[1] - top) / square - 4] as number[])[(area[0] - left) / square - 4] = 1;
  }
  return rows.map((row) => row.join(''));
}
/** As the server sent it. */
export const qrOf = (plugin: HisePlugin) =>
  constant(plugin, 'Tonerow', 'tonerowBrowser').properties.get('qr') as string[];

/** As they are when the server has listed them. */
export async function showSeats(plugin: HisePlugin, count: number) {
  const seats = Array.from({ length: count }, (_, at) => ({
    id: `${at}`,
    name: `Mac ${at}`,
    machine: 'L0123456',
    last_seen_at: '2026-03-08T12:00:00.000Z',
  }));
  constant(plugin, 'TonerowPanel', 'tonerowPanelData').properties.set('wanted', 'seats_code');
  plugin.engine.namespaces
    .get('Tonerow')
    ?.inlineFunctions.get('seatsListed')
    ?.call([int(200), toScript({ ok: true, seats })]);
  await plugin.settled();
}

const PAGE = 'https://licenses.example.com/redeem?dev=01a2c0de-0000-7000-8000-000000000000#device=BCDF-GHJK';
// as many as an address of that length needs
const SQUARES = Array.from({ length: 41 }, () => `${'10'.repeat(20)}1`);

/** Shows a screen with everything on it that it can have. */
export function showScreen(plugin: HisePlugin, screen: string, notice: string) {
  constant(plugin, 'TonerowPanel', 'tonerowPanelData').properties.set('wanted', screen);
  const last = constant(plugin, 'Tonerow', 'tonerowLast').properties;
  for (const [name, value] of Object.entries({
    notice,
    at: '2026-03-08T12:00:00Z',
    host: 'licenses.example.com',
  }))
    last.set(name, value);
  constant(plugin, 'Tonerow', 'tonerowSeats').properties.set('areKnown', int(screen === 'seats' ? 1 : 0));
  const isPage = screen === 'browser';
  const page = constant(plugin, 'Tonerow', 'tonerowBrowser').properties;
  page.set('address', isPage ? PAGE : '');
  page.set('code', isPage ? 'BCDF-GHJK' : '');
  page.set('qr', isPage ? toScript(SQUARES) : []);
  callPanel(plugin, 'refresh');
}
