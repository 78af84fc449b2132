import type { DeviceCode, DeviceSerials } from '@tonerow/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fill } from '#lib/redeem-texts/words.ts';
import { confirmDeviceCode, denyDeviceCode, findDeviceCode, listDeviceSerials } from '../api.ts';
import { explain, isCode } from '../explain.ts';
import { Heading } from '../heading.tsx';
import { Opening } from '../opening.tsx';
import { useWords } from '../words.tsx';
import { Choices } from './choices.tsx';
import { CodeForm } from './code-form.tsx';
import { Facts } from './facts.tsx';

export interface DeviceProps {
  /** The code that the plugin shows; empty: it has to be typed. */
  code: string;
  dev: string | undefined;
  /** The token that opens serials: from a link in an email, or from a redemption. Null: there is none yet. */
  token: string | null;
  onCode: (code: string) => void;
  onEmail: () => void;
  onSerial: () => void;
  /** The token opens nothing now. */
  onStale: () => void;
  /** The plugin has its answer. */
  onAnswered: () => void;
}

/** A plugin asks for one of its owner's serials: what asks, which serial, and the answer. */
export function Device(props: DeviceProps) {
  const { code, dev, onCode } = props;
  const words = useWords();
  const { t } = words;
  const [found, setFound] = useState<DeviceCode>();
  const [failure, setFailure] = useState<unknown>();

  const look = useCallback(async () => {
    setFailure(undefined);
    setFound(undefined);
    if (code === '') return;
    try {
      setFound(await findDeviceCode({ user_code: code, dev }));
    } catch (error) {
      setFailure(error);
    }
  }, [code, dev]);
  useEffect(() => {
    void look();
  }, [look]);

  const isUnknown = isCode(failure, 'not_found') || isCode(failure, 'invalid_request');
  if (code === '' || isUnknown) {
    return <CodeForm notice={isUnknown ? t.deviceUnknown : undefined} onCode={onCode} onAgain={() => void look()} />;
  }
  if (!found) return <Opening failure={failure} onRetry={() => void look()} onEnterSerial={() => onCode('')} />;
  if (found.state === 'confirmed') return <Heading title={t.deviceDoneTitle} intro={t.deviceDone} />;
  if (found.state === 'denied') return <Heading title={t.deviceDeniedTitle} intro={t.deviceDenied} />;
  return <Asking {...props} found={found} onAnswer={(state) => setFound({ ...found, state })} onMissing={setFailure} />;
}

interface AskingProps extends DeviceProps {
  found: DeviceCode;
  onAnswer: (state: 'confirmed' | 'denied') => void;
  onMissing: (error: unknown) => void;
}

function Asking(props: AskingProps) {
  const { found, code, dev, token, onEmail, onSerial, onAnswer, onAnswered, onMissing, onStale } = props;
  const words = useWords();
  const { t } = words;
  const [owned, setOwned] = useState<DeviceSerials>();
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const stale = useRef(onStale);
  stale.current = onStale;

  const load = useCallback(async () => {
    if (token === null) return setOwned(undefined);
    setFailure(undefined);
    try {
      setOwned(await listDeviceSerials({ user_code: code, dev, token }));
    } catch (error) {
      if (isCode(error, 'link_invalid')) stale.current();
      else setFailure(error);
    }
  }, [code, dev, token]);
  useEffect(() => {
    void load();
  }, [load]);

  const answer = async (state: 'confirmed' | 'denied', send: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await send();
      onAnswered();
      onAnswer(state);
    } catch (error) {
      if (isCode(error, 'not_found')) onMissing(error);
      else if (isCode(error, 'link_invalid')) onStale();
      else setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  const isOpen = token !== null;
  return (
    <>
      <Heading title={fill(t.deviceTitle, { product: found.product })} intro={t.deviceIntro} />
      <Facts found={found} />
      <p className="alert" role="alert">
        {failure === undefined ? undefined : explain(failure, words, t.deviceFailed)}
      </p>
      {isOpen && !owned && failure === undefined ? <p role="status">{t.opening}</p> : null}
      {isOpen && !owned && failure !== undefined ? (
        <button type="button" className="main" onClick={() => void load()}>
          {t.retry}
        </button>
      ) : null}
      {token !== null && owned && owned.serials.length > 0 ? (
        <Choices
          owned={owned}
          token={token}
          busy={busy}
          onConfirm={(serial) =>
            void answer('confirmed', () => confirmDeviceCode({ user_code: code, dev, token, serial }))
          }
          onChanged={load}
          onFailed={setFailure}
          onEmail={onEmail}
        />
      ) : null}
      {!isOpen || owned?.serials.length === 0 ? (
        <>
          <p className="plain ask">{isOpen ? t.deviceNone : t.deviceSign}</p>
          <button type="button" className="main" onClick={onEmail}>
            {t.deviceEmail}
          </button>
        </>
      ) : null}
      <button type="button" className="second" onClick={onSerial} disabled={busy}>
        {t.enterSerial}
      </button>
      <button
        type="button"
        className="quiet"
        disabled={busy}
        onClick={() => void answer('denied', () => denyDeviceCode({ user_code: code, dev }))}
      >
        {t.deviceDeny}
      </button>
    </>
  );
}
