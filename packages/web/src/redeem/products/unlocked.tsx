import './unlocked.css';
import type { PublishedUnlock } from '@tonerow/sdk';
import { listPublishedUnlocks } from '@tonerow/sdk/routes';
import { useState } from 'react';
import { addressOf } from '#lib/route.ts';
import { send } from '../api.ts';
import { explain } from '../explain.ts';
import { useWords } from '../words.tsx';
import { ownLink } from './use-products.ts';

const MOST = '1000';

/** The products that the developer has unlocked for everyone. They are requested once somebody wants to see them. */
export function Unlocked({ dev }: { dev: string }) {
  const words = useWords();
  const { t } = words;
  const [list, setList] = useState<PublishedUnlock[] | null>(null);
  const [trouble, setTrouble] = useState<unknown>();
  const load = async () => {
    setTrouble(undefined);
    try {
      setList(await send<PublishedUnlock[]>(addressOf(listPublishedUnlocks, {}, { dev, limit: MOST }), {}));
    } catch (error) {
      setTrouble(error);
    }
  };
  return (
    <details className="unlocked" onToggle={({ currentTarget }) => currentTarget.open && !list && load()}>
      <summary>{t.unlockedTitle}</summary>
      <p className="note">{t.unlockedText}</p>
      {trouble === undefined ? null : (
        <p className="note bad" role="alert">
          {explain(trouble, words, t.openFailed)}{' '}
          <button type="button" className="quiet" onClick={load}>
            {t.retry}
          </button>
        </p>
      )}
      {list ? (
        <ul>
          {list.map(({ id, product_name: name, url }) => (
            <li key={id}>
              <bdi>{name}</bdi>
              <a href={ownLink(url)} download="unlock.json" aria-label={`${t.unlockFile}: ${name}`}>
                {t.unlockFile}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </details>
  );
}
