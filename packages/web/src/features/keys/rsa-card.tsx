import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { saveFile } from '#lib/files/download.ts';
import { Button } from '#ui/button.tsx';
import { CodeBlock } from '#ui/details/code-block.tsx';
import { Panel } from '#ui/page.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { fetchRsa, type RsaFormat, type Setup } from './use-setup.ts';

const downloads: { format: RsaFormat; name: string; words: string; type: string }[] = [
  { format: 'hise', name: 'RSA.xml', words: 'RSA.xml', type: 'application/xml' },
  { format: 'juce', name: 'rsa-public-key.txt', words: 'e,n', type: 'text/plain' },
  { format: 'cpp', name: 'rsa-public-key.h', words: 'C++ line', type: 'text/plain' },
];

/** The product's public key for JUCE's and HISE's key files. The server creates it on first request. */
export function RsaCard({ setup, only }: { setup: Setup; only?: RsaFormat }) {
  const { product, rsa } = setup;
  const save = useMutation({
    mutationFn: async ({ format, name, type }: (typeof downloads)[number]) =>
      saveFile(name, [`${await fetchRsa(product?.id ?? '', format)}\n`], type),
    onError: (error) => notify.error("The RSA key couldn't be downloaded.", error),
  });
  return (
    <Panel className="flex flex-col gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h3 className="font-medium">RSA public key{product ? ` of ${product.name}` : ''}</h3>
          <p className="mt-0.5 text-sm text-muted">
            Verifies the key files of JUCE and HISE. It is created on first use and stays the same.
          </p>
        </div>
        <div className="flex flex-wrap gap-1.5">
          {rsa.data ? null : (
            <Button size="sm" disabled={!product} busy={rsa.isFetching} onClick={setup.showRsa}>
              {rsa.isError ? 'Retry' : only ? 'Fill in RSA key' : 'Show RSA key'}
            </Button>
          )}
          {downloads
            .filter(({ format }) => !only || format === only)
            .map((item) => (
              <Button
                key={item.format}
                size="sm"
                disabled={!product || save.isPending}
                busy={save.isPending && save.variables.format === item.format}
                onClick={() => save.mutate(item)}
              >
                <Download className="size-3.5" aria-hidden />
                <span>
                  <span className="sr-only">Download </span>
                  {item.words}
                </span>
              </Button>
            ))}
        </div>
      </div>
      <FormError title="The RSA key couldn't be loaded." error={rsa.error} />
      {rsa.data && !only ? <CodeBlock title="RSA public key (e,n)" code={rsa.data} /> : null}
      {rsa.data && only ? (
        <p className="text-sm text-muted" role="status">
          The script above has it as <code className="font-mono">rsaPublicKey</code>.
        </p>
      ) : null}
    </Panel>
  );
}
