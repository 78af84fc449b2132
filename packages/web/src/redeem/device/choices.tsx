import type { DeviceSerials } from '@tonerow/sdk';
import { useState } from 'react';
import { fill } from '#lib/redeem-texts/words.ts';
import { isCode } from '../explain.ts';
import { Machines } from '../products/machines.tsx';
import { useWords } from '../words.tsx';

interface Props {
  owned: DeviceSerials;
  token: string;
  busy: boolean;
  onConfirm: (serial: string) => void;
  onChanged: () => Promise<void>;
  onFailed: (error: unknown) => void;
  onEmail: () => void;
}

/** Asks which serial the plugin gets, and makes room for its computer if all seats are in use. */
export function Choices({ owned, token, busy, onConfirm, onChanged, onFailed, onEmail }: Props) {
  const { t } = useWords();
  const [wanted, setWanted] = useState<string>();
  const best = owned.serials.find((each) => each.is_activated) ?? owned.serials.find((each) => !each.is_full);
  const chosen = owned.serials.find((each) => each.serial === wanted) ?? best ?? owned.serials[0];
  if (!chosen) return null;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm(chosen.serial);
      }}
    >
      <fieldset className="choices">
        <legend>{t.deviceChoose}</legend>
        {owned.serials.map((each) => (
          <label key={each.serial}>
            <input
              type="radio"
              name="serial"
              checked={each === chosen}
              onChange={() => setWanted(each.serial)}
              disabled={busy}
            />
            <span>
              <b dir="ltr">{each.serial}</b>
              <small>
                {each.is_activated
                  ? t.deviceKnown
                  : fill(t.deviceSeats, { used: String(each.seats_used), max: String(each.max_activations) })}
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      {chosen.is_full ? (
        <>
          <p className="closed" role="status">
            {owned.by_email ? t.deviceFull : t.deviceFullAsk}
          </p>
          {owned.by_email ? (
            <Machines
              level="h2"
              machines={chosen.machines}
              link={token}
              onFreed={onChanged}
              onFailed={async (error) => {
                // a seat that is already gone is free
                if (!isCode(error, 'not_found')) onFailed(error);
                await onChanged();
              }}
            >
              {null}
            </Machines>
          ) : (
            <button type="button" className="second" onClick={onEmail}>
              {t.deviceEmail}
            </button>
          )}
        </>
      ) : null}
      <button type="submit" className="main" disabled={busy || (chosen.is_full && owned.by_email)}>
        {busy ? t.deviceConfirming : t.deviceConfirm}
      </button>
    </form>
  );
}
