import { useState } from 'react';
import type { Webhook } from '#lib/types.ts';
import { cn } from '#ui/cn.ts';
import { CodeBlock } from '#ui/details/code-block.tsx';
import { receiversOf } from './receivers.ts';

/** How a receiver verifies what it gets, in four languages, with the endpoint's own values. */
export function VerifyCode({ webhook, secret = null }: { webhook: Webhook; secret?: string | null }) {
  const receivers = receiversOf({ signature: webhook.signature, secret, publicKey: webhook.public_key });
  const [language, setLanguage] = useState(receivers[0]?.language);
  const chosen = receivers.find((each) => each.language === language);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Language</legend>
        {receivers.map((each) => (
          <button
            key={each.language}
            type="button"
            aria-pressed={each.language === language}
            onClick={() => setLanguage(each.language)}
            className={cn(
              'h-8 rounded-md px-2.5 text-sm text-muted hover:bg-hover hover:text-text',
              'aria-pressed:bg-hover aria-pressed:text-text',
            )}
          >
            {each.language}
          </button>
        ))}
      </fieldset>
      {chosen ? (
        <div className="min-w-0 [&_section]:max-h-72 [&_section]:overflow-y-auto">
          <CodeBlock key={chosen.language} title={`Verify in ${chosen.language}`} code={chosen.code} />
        </div>
      ) : null}
    </div>
  );
}
