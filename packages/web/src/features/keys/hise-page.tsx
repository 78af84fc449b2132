import type { ReactNode } from 'react';
import { useTitle } from '#lib/hooks.ts';
import { BackLink, LinkButton } from '#ui/button.tsx';
import { PageHeader } from '#ui/page.tsx';
import { RsaCard } from './rsa-card.tsx';
import { SetupFields } from './setup-fields.tsx';
import { SnippetView } from './snippet-view.tsx';
import { hiseSet } from './snippets.ts';
import { TryKey } from './try-key.tsx';
import { useSecrets } from './use-secrets.ts';
import { type SetupSearch, useSetup } from './use-setup.ts';

interface HisePageProps {
  search: SetupSearch;
  onSearch: (search: SetupSearch) => void;
}

export function HisePage({ search, onSearch }: HisePageProps) {
  useTitle('HISE integration');
  const secrets = useSecrets();
  const setup = useSetup(search, secrets);
  return (
    <>
      <BackLink to="/developer/tools" className="mb-5">
        Tools
      </BackLink>
      <PageHeader
        title="HISE integration"
        guide="hise"
        actions={
          <LinkButton to="/developer/tools/licensingapi" search={{ tab: 'hise' }}>
            Plugin keys
          </LinkButton>
        }
      >
        Licensing for plugins that are built with HISE, in three steps.
      </PageHeader>
      <ol className="flex flex-col gap-10">
        <Step number={1} title="Choose the product and a key">
          <SetupFields setup={setup} secrets={secrets} onSearch={onSearch} firstKey="HISE plugin key" />
          <TryKey values={setup.values} />
        </Step>
        <Step number={2} title="Add the script to your project">
          <SnippetView set={hiseSet} file={undefined} onFile={(file) => onSearch({ file })} values={setup.values} />
        </Step>
        <Step number={3} title="Let HISE lock the plugin until it is activated">
          <p className="text-muted">
            Put RSA.xml into your project's main folder, add{' '}
            <code className="font-mono wrap-anywhere">USE_SCRIPT_COPY_PROTECTION=1</code> to the project's Extra
            Definitions, and call{' '}
            <code className="font-mono wrap-anywhere">Tonerow.setUnlocker(Engine.createLicenseUnlocker());</code> before{' '}
            <code className="font-mono">Tonerow.start();</code>. Without these the license is a file that people can
            edit.
          </p>
          <p className="text-muted">
            For computers without internet, add a button for{' '}
            <code className="font-mono wrap-anywhere">Tonerow.writeMachineFile</code> and{' '}
            <code className="font-mono wrap-anywhere">Tonerow.readLicenseFile</code>. They need the RSA key in the
            script.
          </p>
          <RsaCard setup={setup} only="hise" />
        </Step>
      </ol>
    </>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="flex min-w-0 flex-col gap-4">
      <h2 className="flex items-center gap-3 font-semibold">
        <span
          className="figures grid size-7 shrink-0 place-items-center rounded-md bg-accent-soft text-sm text-accent-text"
          aria-hidden
        >
          {number}
        </span>
        {title}
      </h2>
      <div className="flex min-w-0 flex-col gap-4 sm:pl-10">{children}</div>
    </li>
  );
}
