import type { DeviceCode } from '@tonerow/sdk';
import { useWords } from '../words.tsx';

/** The facts of the plugin that asks, for its owner to compare. */
export function Facts({ found }: { found: DeviceCode }) {
  const { t, lang } = useWords();
  const computer = [found.machine, found.os].filter(Boolean).join(' · ');
  const place =
    found.country === null ? null : (new Intl.DisplayNames(lang, { type: 'region' }).of(found.country) ?? null);
  return (
    <>
      <dl className="facts">
        <dt>{t.deviceCode}</dt>
        <dd className="facts-code" dir="ltr">
          {found.user_code}
        </dd>
        <dt>{t.deviceComputer}</dt>
        <dd>
          <bdi>{computer || t.deviceUnnamed}</bdi>
        </dd>
        <dt>{t.devicePlace}</dt>
        <dd>{[place, found.same_network ? t.deviceHere : null].filter(Boolean).join(' · ') || t.deviceNowhere}</dd>
      </dl>
      {found.same_network ? null : <p className="closed">{t.deviceElsewhere}</p>}
    </>
  );
}
