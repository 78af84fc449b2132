/** The API of `npm run dev`. It does not drain, so that edits take effect at once. */
import { readConfig } from '../packages/server/src/config.ts';
import { serve } from '../packages/server/src/serve.ts';

const PATIENCE = 300;
const config = readConfig();
const running = await serve({ ...config, databaseUrl: config.databaseUrl ?? '', secrets: config.secrets ?? [] });
process.stderr.write(`\n  Dashboard ${config.publicUrl}   API ${running.url}\n\n`);

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.once(signal, () => {
    setTimeout(() => process.exit(), PATIENCE);
    running.stop().finally(() => process.exit());
  });
}
