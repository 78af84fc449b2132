import { getLicenseKeys } from '@tonerow/sdk/routes';
import { useTitle } from '#lib/hooks.ts';
import { addressOf } from '#lib/route.ts';
import { BackLink } from '#ui/button.tsx';
import { ReferenceLink } from '#ui/buttons/help-link.tsx';
import { PageHeader } from '#ui/page.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { KeyManager } from './key-manager.tsx';
import { RsaCard } from './rsa-card.tsx';
import { SetupFields } from './setup-fields.tsx';
import { SnippetView } from './snippet-view.tsx';
import { hiseSet, universalSets } from './snippets.ts';
import { TryKey } from './try-key.tsx';
import { useSecrets } from './use-secrets.ts';
import { type SetupSearch, useSetup } from './use-setup.ts';

export interface LicensingSearch extends SetupSearch {
  tab?: 'hise' | undefined;
  stale?: 90 | undefined;
}

interface LicensingApiProps {
  search: LicensingSearch;
  onSearch: (search: LicensingSearch) => void;
}

const page = '/developer/tools/licensingapi';

export function LicensingApi({ search, onSearch }: LicensingApiProps) {
  useTitle('Licensing API');
  const secrets = useSecrets();
  const setup = useSetup(search, secrets);
  const isHise = search.tab === 'hise';
  const set = isHise
    ? hiseSet
    : (universalSets.find(({ files }) => files.some(({ name }) => name === search.file)) ?? universalSets[0]);
  const developer = setup.values.DEVELOPER_ID;
  return (
    <>
      <BackLink to="/developer/tools" className="mb-5">
        Tools
      </BackLink>
      <PageHeader title="Licensing API" guide={isHise ? 'hise' : set === universalSets[0] ? 'any-plugin' : 'juce'}>
        Your plugin uses a plugin key to check that its license is valid on a machine. Every call is in the{' '}
        <ReferenceLink />.
      </PageHeader>
      <TabNav label="Licensing API" className="mb-6">
        <TabLink
          to={page}
          search={{ ...search, tab: undefined, file: undefined }}
          resetScroll={false}
          current={!isHise}
        >
          Universal API
        </TabLink>
        <TabLink to={page} search={{ ...search, tab: 'hise', file: undefined }} resetScroll={false} current={isHise}>
          HISE Drop-In
        </TabLink>
      </TabNav>
      <KeyManager
        secrets={secrets}
        usualLabel={isHise ? 'HISE plugin key' : 'Universal API key'}
        stale={search.stale !== undefined}
        onStale={(stale) => onSearch({ stale: stale ? 90 : undefined })}
      />
      <section aria-labelledby="code" className="flex flex-col gap-5">
        <h2 id="code" className="font-semibold">
          {isHise ? 'Drop-in script' : 'Code for your plugin'}
        </h2>
        <SetupFields setup={setup} secrets={secrets} onSearch={onSearch} />
        <TryKey values={setup.values} />
        {isHise ? null : (
          <TabNav label="Language">
            {universalSets.map(({ id, title, files }) => (
              <TabLink
                key={id}
                to={page}
                search={{ ...search, file: files[0].name }}
                resetScroll={false}
                current={id === set.id}
              >
                {title}
              </TabLink>
            ))}
          </TabNav>
        )}
        <SnippetView set={set} file={search.file} onFile={(file) => onSearch({ file })} values={setup.values} />
        {set.id === 'juce' && developer ? (
          <p className="text-sm text-muted">
            Before you ship, put{' '}
            <a
              href={addressOf(getLicenseKeys, {}, { dev: developer })}
              target="_blank"
              rel="noreferrer"
              className="text-accent-text underline underline-offset-2"
            >
              your public keys
            </a>{' '}
            into <code className="font-mono">Settings::pinnedKeys</code>. The first one is created by your first
            activation.
          </p>
        ) : null}
        <RsaCard setup={setup} />
      </section>
    </>
  );
}
