import { useState } from 'react';
import { saveFile } from '#lib/files/download.ts';
import { createOfflineLicense, RedeemError, releaseOfflineLicense } from '../api.ts';
import { explain, isCode } from '../explain.ts';
import { useWords } from '../words.tsx';

interface Props {
  serial: string;
  link: string;
  onMade: () => Promise<void>;
  onStale: (error: unknown) => void;
}

type State =
  | { at: 'rest' | 'busy' | 'done' | 'releasing' | 'released' }
  | { at: 'failed'; error: unknown; isRelease: boolean };

/** The server's limit. An installer chosen by mistake is neither read nor sent. */
const LARGEST = 16 * 1024;

/** A release file, also in Base64: the plugin writes both kinds, and people know them by their names alone. */
export function isRelease(text: string): boolean {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  try {
    const value: unknown = JSON.parse(trimmed.startsWith('{') ? trimmed : atob(trimmed.replace(/\s/g, '')));
    return typeof value === 'object' && value !== null && 'release' in value;
  } catch {
    return false;
  }
}

/** Takes the machine file of a computer without internet and returns its license file, or takes its release file. */
export function Offline({ serial, link, onMade, onStale }: Props) {
  const words = useWords();
  const { t } = words;
  const [state, setState] = useState<State>({ at: 'rest' });

  const make = async (file: File) => {
    setState({ at: 'busy' });
    let releases = false;
    try {
      if (file.size > LARGEST) throw new RedeemError('invalid_request', '', { field: 'machine_file' });
      const chosen = await file.text();
      releases = isRelease(chosen);
      if (releases) {
        setState({ at: 'releasing' });
        await releaseOfflineLicense({ token: link, serial, release: chosen });
        setState({ at: 'released' });
      } else {
        const text = await createOfflineLicense({ token: link, serial, machine_file: chosen });
        saveFile(`${serial}.license.txt`, [text], 'text/plain;charset=utf-8');
        setState({ at: 'done' });
      }
      await onMade();
    } catch (error) {
      if (isCode(error, 'link_invalid')) return onStale(error);
      setState({ at: 'failed', error, isRelease: releases });
    }
  };

  const isBusy = state.at === 'busy' || state.at === 'releasing';
  const note = {
    rest: null,
    busy: `${t.offlineBusy} …`,
    releasing: `${t.freeing} …`,
    done: t.offlineDone,
    released: t.freed,
    failed: null,
  }[state.at];
  return (
    <details className="offline">
      <summary>{t.offline}</summary>
      <p>{t.offlineHint}</p>
      <label className={isBusy ? 'copy busy' : 'copy'}>
        {t.machineFile}
        <input
          type="file"
          className="unseen"
          disabled={isBusy}
          onChange={(event) => {
            const file = event.target.files?.[0];
            // the same file may be chosen again
            event.target.value = '';
            if (file) void make(file);
          }}
        />
      </label>
      <p role="status" className={state.at === 'failed' ? 'said bad' : 'said'}>
        {state.at === 'failed' ? explain(state.error, words, state.isRelease ? t.freeFailed : t.offlineFailed) : note}
      </p>
    </details>
  );
}
