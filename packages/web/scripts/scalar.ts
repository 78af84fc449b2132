import apiReference from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import type { Plugin } from 'vite';

const ID = 'virtual:scalar-url';
const RESOLVED = `\0${ID}`;
const DEV_PATH = '/scalar.js';

/**
 * Emits Scalar's browser bundle as a file of the build; `virtual:scalar-url` is its address. It comes from Scalar's Fastify
 * plugin, which carries it whole, while the package it is built from would install 270 others. Nothing of the plugin runs
 * in our server.
 */
export function scalar(): Plugin {
  let serving = false;
  let file = '';
  return {
    name: 'scalar',
    configResolved: ({ command }) => {
      serving = command === 'serve';
    },
    async buildStart() {
      if (!serving) file = this.emitFile({ type: 'asset', name: 'scalar.js', source: await bundle() });
    },
    resolveId: (id) => (id === ID ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      return `export default ${serving ? `'${DEV_PATH}'` : `import.meta.ROLLUP_FILE_URL_${file}`};`;
    },
    configureServer(server) {
      server.middlewares.use(DEV_PATH, (_request, response, next) => {
        bundle().then((source) => response.setHeader('content-type', 'text/javascript').end(source), next);
      });
    },
  };
}

async function bundle(): Promise<string> {
  const app = Fastify();
  await app.register(apiReference, { routePrefix: '/docs', configuration: { url: '/api/openapi.json' } });
  const { body, statusCode } = await app.inject('/docs/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`Scalar's plugin has no bundle at this address (${statusCode}).`);
  return body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}
