import { useState } from 'react';
import { saveFile } from '#lib/files/download.ts';
import { createOfflineLicense, RedeemError } from '../api.ts';
import { explain, isCode } from '../explain.ts';
import { useWords } from '../words.tsx';

interface Props {
  serial: string;
  link: string;
  onMade: () => Promise<void>;
  onStale: (error: unknown) => void;
}

type State = { at: 'rest' | 'busy' | 'done' } | { at: 'failed'; error: unknown };

/** The server's limit. An installer chosen by mistake is neither read nor sent. */
const LARGEST = 16 * 1024;

/** For a computer without internet: takes its machine file and returns its license file. */
export function Offline({ serial, link, onMade, onStale }: Props) {
  const words = useWords();
  const { t } = words;
  const [state, setState] = useState<State>({ at: 'rest' });

  const make = async (file: File) => {
    setState({ at: 'busy' });
    try {
      if (file.size > LARGEST) throw new RedeemError('invalid_request', '', { field: 'machine_file' });
      const text = await createOfflineLicense({ token: link, serial, machine_file: await file.text() });
      saveFile(`${serial}.license.txt`, [text], 'text/plain;charset=utf-8');
      setState({ at: 'done' });
      await onMade();
    } catch (error) {
      if (isCode(error, 'link_invalid')) return onStale(error);
      setState({ at: 'failed', error });
    }
  };

  const said = { rest: null, busy: `${t.offlineBusy} …`, done: t.offlineDone, failed: null }[state.at];
  return (
    <details className="offline">
      <summary>{t.offline}</summary>
      <p>{t.offlineHint}</p>
      <label className={state.at === 'busy' ? 'copy busy' : 'copy'}>
        {t.machineFile}
        <input
          type="file"
          className="unseen"
          disabled={state.at === 'busy'}
          onChange={(event) => {
            const file = event.target.files?.[0];
            // the same file may be chosen again
            event.target.value = '';
            if (file) void make(file);
          }}
        />
      </label>
      <p role="status" className={state.at === 'failed' ? 'said bad' : 'said'}>
        {state.at === 'failed' ? explain(state.error, words, t.offlineFailed) : said}
      </p>
    </details>
  );
}
