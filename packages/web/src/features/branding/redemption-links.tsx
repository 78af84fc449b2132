import { LinkLine } from '#ui/details/link-line.tsx';
import { Panel } from '#ui/page.tsx';
import type { Branding } from './branding-query.ts';

export function RedemptionLinks({ branding }: { branding: Branding }) {
  const { custom_domain: domain, domain_status: state, redeem_url: url } = branding;
  return (
    <section aria-labelledby="links">
      <h2 id="links" className="font-semibold">
        Redemption links
      </h2>
      <p className="mt-0.5 text-muted">Where your customers redeem. Put one of them in your shop's emails.</p>
      <Panel className="mt-4">
        <dl className="divide-y divide-line">
          <div className="px-5 py-4">
            <dt className="mb-1 text-sm text-muted">Default link</dt>
            <dd>
              <LinkLine url={url} what="the default link" />
            </dd>
          </div>
          <div className="px-5 py-4">
            <dt className="mb-1 text-sm text-muted">Custom domain link</dt>
            <dd>
              {domain && state === 'verified' ? (
                <LinkLine url={`https://${domain}/redeem`} what="the custom domain link" />
              ) : (
                <span className="flex min-h-8 items-center">
                  {domain ? `Works once ${domain} is verified.` : 'None yet. Add a domain below.'}
                </span>
              )}
            </dd>
          </div>
        </dl>
      </Panel>
    </section>
  );
}
