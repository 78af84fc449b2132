import { useQuery } from '@tanstack/react-query';
import { useTitle } from '#lib/hooks.ts';
import { useAccount } from '#lib/session/session.ts';
import { BackLink, TextLink } from '#ui/button.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { TryIt } from '#ui/try-it.tsx';
import { type Branding, brandingQuery } from './branding-query.ts';
import { DomainSection } from './domain/domain-section.tsx';
import { Preview, type PreviewView } from './preview/preview.tsx';
import { PreviewSkeleton } from './preview/preview-skeleton.tsx';
import { RedemptionLinks } from './redemption-links.tsx';

export function DomainsPage({ view }: { view: PreviewView }) {
  useTitle('Custom Domains & Branding');
  const branding = useQuery(brandingQuery);
  return (
    <>
      <BackLink to="/developer/tools" className="mb-5">
        Tools
      </BackLink>
      <PageHeader title="Custom Domains & Branding" guide="brand-and-domain">
        Your redemption page on your own domain. Its logo and colors are under{' '}
        <TextLink to="/dashboard/settings/branding">Branding</TextLink>.
      </PageHeader>
      {branding.data ? (
        <Domains branding={branding.data} view={view} />
      ) : branding.isError ? (
        <Panel>
          <Failed
            title="The redemption page couldn't be loaded"
            error={branding.error}
            retry={branding.refetch}
            retrying={branding.isFetching}
          />
        </Panel>
      ) : (
        <DomainsSkeleton />
      )}
    </>
  );
}

function Domains({ branding, view }: { branding: Branding; view: PreviewView }) {
  const company = useAccount()?.company_name ?? '';
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="flex min-w-0 flex-col gap-10">
        <RedemptionLinks branding={branding} />
        <TryIt line={filledIn(branding.redeem_url)}>
          Opens your page with both fields filled in, as the link of a shop’s email can. Nothing is redeemed until
          somebody presses the button.
        </TryIt>
        <DomainSection branding={branding} />
      </div>
      <div className="min-w-0 lg:sticky lg:top-[88px] lg:self-start">
        <Preview
          path="/developer/tools/branding"
          view={view}
          color={branding.brand_color}
          dark={branding.dark_mode}
          brand={{
            company,
            logo: branding.logo_url,
            supportEmail: branding.support_email,
            supportUrl: branding.support_url,
          }}
        />
      </div>
    </div>
  );
}

function filledIn(url: string): string {
  const link = new URL(url);
  link.searchParams.set('serial', 'ABCD-EFGH-2345-6789');
  link.searchParams.set('email', 'you@example.com');
  return link.href;
}

function DomainsSkeleton() {
  return (
    <div role="status" className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_320px]">
      <span className="sr-only">Loading the redemption page</span>
      <div className="flex flex-col gap-10">
        {[2, 4].map((lines) => (
          <div key={lines} className="flex flex-col gap-2">
            <span className="skeleton h-5 w-36" />
            <span className="skeleton h-4 w-80 max-w-full" />
            <Panel className="mt-2 divide-y divide-line">
              {Array.from({ length: lines }, (_, line) => (
                <div key={line} className="flex h-[86px] flex-col justify-center gap-2 px-5">
                  <span className="skeleton h-4 w-24" />
                  <span className="skeleton h-4 w-72 max-w-full" />
                </div>
              ))}
            </Panel>
          </div>
        ))}
      </div>
      <PreviewSkeleton />
    </div>
  );
}
