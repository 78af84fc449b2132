/**
 * Keeps what the contract promises as `packages/sdk/released.json`, which the next changes are compared with: run by a release. Its notes
 * have served then.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { surfaceOf } from './lib/contract-changes.ts';
import { contractFile, notesFile, releasedFile } from './lib/contract-files.ts';

const surface = surfaceOf(JSON.parse(await readFile(contractFile, 'utf8')));
// a line for each path and each schema, so that a difference can be read
const lines = (named: object) =>
  Object.entries(named).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
await writeFile(
  releasedFile,
  `{
  "info": ${JSON.stringify(surface.info)},
  "paths": {
${lines(surface.paths).join(',\n')}
  },
  "webhooks": {
${lines(surface.webhooks ?? {}).join(',\n')}
  },
  "components": {
    "schemas": {
${lines(surface.components.schemas).join(',\n')}
    }
  }
}
`,
);
await writeFile(notesFile, '{}\n');
