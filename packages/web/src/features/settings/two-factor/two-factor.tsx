import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '#lib/format/format.ts';
import { Button } from '#ui/button.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed, Notice } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { DisableTwoFactor } from './two-factor-disable.tsx';
import { twoFactorQuery } from './two-factor-query.ts';
import { RenewCodes } from './two-factor-renew.tsx';
import { SetUpTwoFactor } from './two-factor-setup.tsx';

type Step = 'on' | 'off' | 'renew';

/** The switch shows the state on the server; a dialog confirms changes. */
export function TwoFactor() {
  const state = useQuery(twoFactorQuery);
  const [step, setStep] = useState<Step | null>(null);
  const toggle = (at: Step) => (open: boolean) => setStep(open ? at : null);
  if (state.isError) {
    return (
      <Panel>
        <Failed
          title="Two-factor sign-in couldn't be loaded"
          error={state.error}
          retry={state.refetch}
          retrying={state.isFetching}
          className="py-10"
        />
      </Panel>
    );
  }
  const enabled = state.data?.enabled ?? false;
  const left = state.data?.recovery_codes_left ?? 0;
  return (
    <Panel className="flex flex-col gap-3 px-5 py-4">
      <Switch
        label="Two-factor sign-in"
        hint="A code from an app on your phone, asked for after the password."
        checked={enabled}
        disabled={!state.data}
        onChange={() => setStep(enabled ? 'off' : 'on')}
      />
      {state.data && enabled ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line pt-3">
            <p className="figures flex flex-wrap gap-x-3 text-sm text-muted">
              {state.data.since ? (
                <span>
                  On since <TimeAgo iso={state.data.since} />
                </span>
              ) : null}
              <span>{plural(left, 'recovery code')} left</span>
            </p>
            <Button size="sm" onClick={() => setStep('renew')}>
              New recovery codes
            </Button>
          </div>
          {left < 3 ? (
            <Notice tone="warn">
              {left === 0 ? 'No recovery codes are left.' : `Only ${plural(left, 'recovery code')} left.`} Make new
              ones, so that you can sign in without your phone.
            </Notice>
          ) : null}
        </>
      ) : null}
      <SetUpTwoFactor open={step === 'on'} onOpenChange={toggle('on')} />
      <DisableTwoFactor open={step === 'off'} onOpenChange={toggle('off')} />
      <RenewCodes open={step === 'renew'} onOpenChange={toggle('renew')} />
    </Panel>
  );
}
