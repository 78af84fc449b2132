import { useState } from 'react';
import { useTitle } from '../../lib/hooks.ts';
import { BackLink } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { CurlExample } from './curl-example.tsx';
import { KeyManager } from './key-manager.tsx';

export function LicensingApi() {
  useTitle('Licensing API');
  // The last secret that was made or revealed here fills in the example.
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <BackLink to="/developer/tools" className="mb-5">
        Tools
      </BackLink>
      <PageHeader title="Licensing API">
        A plugin carries a key of yours to ask whether a licence is good on this machine.
      </PageHeader>
      <KeyManager onSecret={setSecret} />
      <CurlExample secret={secret} />
    </>
  );
}
