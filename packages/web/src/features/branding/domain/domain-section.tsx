import { Panel } from '#ui/page.tsx';
import type { Branding } from '../branding-query.ts';
import { DnsRecord } from './dns-record.tsx';
import { DomainForm } from './domain-form.tsx';
import { DomainState } from './domain-state.tsx';

export function DomainSection({ branding }: { branding: Branding }) {
  const { custom_domain: domain, dns_target: target, domain_status: state } = branding;
  return (
    <section aria-labelledby="domain">
      <h2 id="domain" className="font-semibold">
        Custom domain
      </h2>
      <p className="mt-0.5 text-muted">A host of your own, such as app.yourcompany.com, for your redemption page.</p>
      <Panel className="mt-4 divide-y divide-line">
        <div className="p-5">{domain ? <DomainState domain={domain} state={state} /> : <DomainForm />}</div>
        <DnsRecord domain={domain} target={target} done={state === 'verified'} />
      </Panel>
    </section>
  );
}
