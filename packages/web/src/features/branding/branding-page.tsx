import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useTitle } from '#lib/hooks.ts';
import { LinkButton, TextLink } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { SettingsTabs } from '#widgets/settings-tabs.tsx';
import { BrandingForm } from './branding-form.tsx';
import { brandingQuery } from './branding-query.ts';
import type { PreviewView } from './preview/preview.tsx';
import { PreviewSkeleton } from './preview/preview-skeleton.tsx';

export function BrandingPage({ view }: { view: PreviewView }) {
  useTitle('Branding');
  const branding = useQuery(brandingQuery);
  return (
    <>
      <PageHeader
        title="Branding"
        guide="brand-and-domain"
        actions={
          branding.data ? (
            <LinkButton to={branding.data.redeem_url} target="_blank" rel="noreferrer">
              Open the page
              <ExternalLink className="size-3.5" aria-hidden />
            </LinkButton>
          ) : null
        }
      >
        How your redemption page looks to your customers. It can also use{' '}
        <TextLink to="/developer/tools/branding">your own domain</TextLink>.
      </PageHeader>
      <SettingsTabs />
      {branding.data ? (
        <BrandingForm branding={branding.data} view={view} />
      ) : branding.isError ? (
        <Panel>
          <Failed
            title="The branding couldn't be loaded"
            error={branding.error}
            retry={branding.refetch}
            retrying={branding.isFetching}
          />
        </Panel>
      ) : (
        <BrandingSkeleton />
      )}
    </>
  );
}

function BrandingSkeleton() {
  return (
    <div role="status" className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_320px]">
      <span className="sr-only">Loading the branding</span>
      <div className="flex flex-col gap-6">
        <FieldSkeleton className="h-16 w-36" />
        <FieldSkeleton className="h-9 w-52" />
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <FieldSkeleton className="h-9 w-full" />
          <FieldSkeleton className="h-9 w-full" />
        </div>
        <Panel className="divide-y divide-line">
          {[0, 1].map((line) => (
            <div key={line} className="flex h-[70px] flex-col justify-center gap-2 px-5">
              <span className="skeleton h-4 w-32" />
              <span className="skeleton h-4 w-64 max-w-full" />
            </div>
          ))}
        </Panel>
        <span className="skeleton h-9 w-36" />
      </div>
      <PreviewSkeleton />
    </div>
  );
}

function FieldSkeleton({ className }: { className: string }) {
  return (
    <div className="flex flex-col gap-2">
      <span className="skeleton h-4 w-24" />
      <span className={cn('skeleton', className)} />
      <span className="skeleton h-4 w-44" />
    </div>
  );
}
