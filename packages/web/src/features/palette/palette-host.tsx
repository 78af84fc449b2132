import { useNavigate } from '@tanstack/react-router';
import { lazy, useEffect, useRef } from 'react';
import { showOverlay, useOverlay } from '#lib/keyboard/overlay.ts';
import { dialogIsOpen, isPaletteKey, isTaken, singleKeysOn } from '#lib/keyboard/single-keys.ts';
import { useAccount } from '#lib/session/session.ts';
import { Later } from '#ui/dialogs/lazy-mount.tsx';

const loadPalette = () => import('./palette.tsx');
const loadEntries = () => import('./entries.ts');
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })));
const KeysDialog = lazy(() => import('./keys-dialog.tsx').then((module) => ({ default: module.KeysDialog })));
const SECOND_KEY_MS = 1200;

/** Listens for the keys of the dashboard and draws what they open. */
export function PaletteHost() {
  const account = useAccount();
  const overlay = useOverlay();
  const ahead = useKeys(account?.is_reseller ?? false, overlay === 'palette');
  useEffect(() => {
    // Preloaded, so that it opens at once.
    const quiet = setTimeout(loadPalette, 1500);
    return () => {
      clearTimeout(quiet);
      showOverlay(null);
    };
  }, []);
  const close = (open: boolean) => (open ? undefined : showOverlay(null));
  if (!account) return null;
  return (
    <>
      <Later when={overlay === 'palette'}>
        <Palette user={account} open={overlay === 'palette'} onOpenChange={close} typedAhead={() => ahead.current} />
      </Later>
      <Later when={overlay === 'keys'}>
        <KeysDialog reseller={account.is_reseller} open={overlay === 'keys'} onOpenChange={close} />
      </Later>
    </>
  );
}

/** Returns what was typed while the palette was still on its way. */
function useKeys(reseller: boolean, paletteOpen: boolean) {
  const ahead = useRef('');
  useEffect(() => {
    if (!paletteOpen) ahead.current = '';
  }, [paletteOpen]);
  const navigate = useNavigate();
  const waiting = useRef(0);
  const onKey = async (event: KeyboardEvent) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      if (paletteOpen) showOverlay(null);
      else if (!dialogIsOpen()) showOverlay('palette');
      return;
    }
    if (paletteOpen && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && !dialogIsOpen()) {
      event.preventDefault();
      event.stopPropagation();
      ahead.current += event.key;
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !singleKeysOn() || isTaken(event)) return;
    if (event.key === '?') {
      event.preventDefault();
      showOverlay('keys');
      return;
    }
    const second = Date.now() - waiting.current < SECOND_KEY_MS;
    waiting.current = event.key === 'g' && !second ? Date.now() : 0;
    if (!second || event.key.length > 1) return;
    // the screen's own keys must not take it too
    event.stopPropagation();
    const { entriesOf } = await loadEntries();
    const entry = entriesOf(reseller).find(({ g }) => g === event.key);
    if (entry && 'to' in entry.does) await navigate(entry.does.to);
  };
  const latest = useRef(onKey);
  latest.current = onKey;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      latest.current(event);
    };
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
  return ahead;
}
