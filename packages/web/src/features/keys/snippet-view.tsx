import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { saveFile } from '#lib/files/download.ts';
import { ownKeys } from '#lib/queries/own-keys.ts';
import { Button } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { CodeBlock } from '#ui/details/code-block.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { fillSnippet, type SnippetSet, type SnippetValues } from './snippets.ts';

interface SnippetViewProps {
  set: SnippetSet;
  file: string | undefined;
  onFile: (file: string) => void;
  values: SnippetValues;
}

export function SnippetView({ set, file, onFile, values }: SnippetViewProps) {
  const chosen = set.files.find(({ name }) => name === file) ?? set.files[0];
  const text = useQuery({
    queryKey: ownKeys.snippet(chosen.name),
    queryFn: async () => (await chosen.load()).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const code = text.data === undefined ? undefined : fillSnippet(text.data, chosen.language, values);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {set.files.length > 1 ? <p className="text-muted">{set.about}</p> : null}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {set.files.length > 1 ? (
          <fieldset className="flex flex-wrap gap-1">
            <legend className="sr-only">File</legend>
            {set.files.map(({ name }) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === chosen.name}
                onClick={() => onFile(name)}
                className={cn(
                  'h-8 rounded-md px-2.5 font-mono text-sm text-muted hover:bg-hover hover:text-text',
                  'aria-pressed:bg-hover aria-pressed:text-text',
                )}
              >
                {name}
              </button>
            ))}
          </fieldset>
        ) : (
          <p className="min-w-0 flex-1 basis-60 text-muted">{set.about}</p>
        )}
        <Button
          size="sm"
          disabled={code === undefined}
          onClick={() => code !== undefined && saveFile(chosen.name, [code], 'text/plain;charset=utf-8')}
        >
          <Download className="size-3.5" aria-hidden />
          Download<span className="sr-only"> {chosen.name}</span>
        </Button>
      </div>
      {text.isError ? (
        <Panel>
          <Failed
            title="The code couldn't be loaded"
            error={text.error}
            retry={text.refetch}
            retrying={text.isFetching}
          />
        </Panel>
      ) : code === undefined ? (
        <div role="status">
          <span className="sr-only">Loading {chosen.name}</span>
          <span className="skeleton block h-[520px]" />
        </div>
      ) : (
        // a long file scrolls inside itself
        <div className="[&_section]:max-h-[478px] [&_section]:min-h-40 [&_section]:overflow-y-auto">
          <CodeBlock key={chosen.name} title={chosen.name} code={code} />
        </div>
      )}
    </div>
  );
}
