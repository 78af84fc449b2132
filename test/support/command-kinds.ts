import type { Scene, WireAnswer } from './cut-server.ts';

/** The id of everything here. */
export const ID = '01900000-0000-7000-8000-000000000001';
export const json = (body: unknown, status = 200): WireAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});
export const problem = (status: number, code: string): WireAnswer => ({
  status,
  type: 'application/problem+json',
  body: JSON.stringify({ status, code, message: 'Refused.' }),
});
const key = { id: ID, label: 'One', is_active: true, is_test: false };
const product = { id: ID, name: 'Echo', version: 3, feature_list: [], file_urls: [] };
const file = { id: ID, name: 'Echo.dmg', size: 3, received: 0, complete: false, part_size: 8, url: '/f' };

/** One command of a kind, and what a server answers it. */
export interface Kind {
  line: string[];
  answers: Scene['answers'];
  /** The answer that breaks off. */
  call: string;
  /** It must not be done twice. */
  once?: boolean;
  /** The files that a folder holds afterwards, besides those that were there. */
  leaves?: string[];
}

export const kinds: Record<string, Kind> = {
  'a read': {
    line: ['products', 'get', ID],
    answers: { [`GET /api/products/${ID}`]: json(product) },
    call: `GET /api/products/${ID}`,
  },
  'a list': {
    line: ['keys', 'list'],
    answers: { 'GET /api/developer/plugin-keys': json({ keys: [key] }) },
    call: 'GET /api/developer/plugin-keys',
  },
  'a stream into a file': {
    line: ['serials', 'list', '--out', 'out.csv'],
    answers: { 'GET /api/serials': { status: 200, type: 'text/csv', body: 'Serial\r\nA-1\r\nA-2\r\n', chunked: true } },
    call: 'GET /api/serials',
  },
  'a stream that a proxy ends with the connection': {
    line: ['serials', 'list', '--out', 'out.csv'],
    answers: {
      'GET /api/serials': {
        status: 200,
        type: 'text/csv',
        body: 'Serial\r\nA-1\r\nA-2\r\n',
        chunked: true,
        headers: { connection: 'close' },
      },
    },
    call: 'GET /api/serials',
  },
  'a create': {
    line: ['keys', 'create', 'One'],
    answers: { 'POST /api/developer/plugin-keys': json({ ok: true, plaintext: 'tnr_plg_1', key }, 201) },
    call: 'POST /api/developer/plugin-keys',
    once: true,
  },
  'a change': {
    line: ['products', 'update', ID, '--price', '5'],
    answers: { [`GET /api/products/${ID}`]: json(product), [`PUT /api/products/${ID}`]: json(product) },
    call: `PUT /api/products/${ID}`,
  },
  'a delete': {
    line: ['keys', 'delete', ID, '--yes'],
    answers: { [`DELETE /api/developer/plugin-keys/${ID}`]: json({ ok: true }) },
    call: `DELETE /api/developer/plugin-keys/${ID}`,
  },
  'an upload': {
    line: ['files', 'upload', 'in.dmg'],
    answers: {
      'POST /api/files': json(file, 201),
      [`GET /api/files/${ID}`]: json(file),
      [`PATCH /api/files/${ID}`]: json({ ...file, received: 3, complete: true }),
    },
    call: `PATCH /api/files/${ID}`,
    leaves: ['in.dmg.tonerow-upload'],
  },
};
