import { type Action, toast } from 'sonner';
import { afterEach, expect, it, vi } from 'vitest';
import { notify } from './toast.ts';

afterEach(() => vi.unstubAllGlobals());

it('undoes once, however often its button is clicked while the notice goes away', () => {
  vi.stubGlobal('document', new EventTarget());
  const undo = vi.fn();
  notify.success('Serial revoked.', { undo });
  const [notice] = toast.getToasts();
  const { onClick } = (notice as { action: Action }).action;
  onClick({} as never);
  onClick({} as never);
  expect(undo).toHaveBeenCalledTimes(1);
});
