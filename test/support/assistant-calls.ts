import { expect } from 'vitest';
import { call, type Person } from './http.ts';
import type { SharedServer } from './server.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shapes are the contract’s
type Answer = any;

/** The steps of one import after the other. */
export function assistantCalls(scene: () => { server: SharedServer; ada: Person }) {
  const at = (id: string, step = '') => `/api/imports/${id}${step}`;
  const token = () => scene().ada.token;
  const calls = {
    create: async (text: string | Buffer, name = 'sales.csv'): Promise<Answer> => {
      const form = new FormData();
      form.append('file', new Blob([text as string]), name);
      const { status, body } = await call(scene().server, 'POST', '/api/imports', { token: token(), body: form });
      return { status, ...body };
    },
    get: (id: string, step = '') => call(scene().server, 'GET', at(id, step), { token: token() }),
    change: (id: string, body: object) => call(scene().server, 'PATCH', at(id), { token: token(), body }),
    post: (id: string, step: string) => call(scene().server, 'POST', at(id, step), { token: token() }),
    /** Waits for the job. */
    ended: async (id: string): Promise<Answer> => {
      let found: Answer;
      await expect
        .poll(
          async () => {
            found = (await calls.get(id)).body;
            return found.state;
          },
          { timeout: 20_000 },
        )
        .toMatch(/^(complete|failed|undone)$/);
      return found;
    },
    /** A file from its reading to its end. */
    imported: async (text: string | Buffer, body: object = {}, name?: string): Promise<Answer> => {
      const { id } = await calls.create(text, name);
      if (Object.keys(body).length > 0) expect((await calls.change(id, body)).status).toBe(200);
      const run = await calls.post(id, '/run');
      expect([run.status, run.body.message]).toEqual([202, undefined]);
      return calls.ended(id);
    },
  };
  return calls;
}
