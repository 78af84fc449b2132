import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { help } from './help/plugin.ts';
import { scalar } from './scripts/scalar.ts';

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The dashboard's text font starts loading with the page, not after the style sheet. */
const preloadTextFont: Plugin = {
  name: 'preload-text-font',
  transformIndexHtml(_html, { bundle, path }) {
    const font = Object.keys(bundle ?? {}).find((file) => /inter-latin-wght-normal.*\.woff2$/.test(file));
    if (!font || !path.endsWith('index.html')) return [];
    return [
      {
        tag: 'link',
        attrs: { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' },
        injectTo: 'head',
      },
    ];
  },
};

const compressible = /\.(?:js|css|html|svg|json)$/;
const small = 1024;
const large = 1024 * 1024;

/** Compressed once, here, instead of for every visitor: the server sends what the browser takes. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle: {
    order: 'post',
    sequential: true,
    handler({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => compressible.test(file))) {
        const content = readFileSync(path.join(dir, name));
        if (content.length < small) continue;
        // the last percent of a large file would take many seconds
        const quality = content.length < large ? constants.BROTLI_MAX_QUALITY : 9;
        const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
        writeFileSync(path.join(dir, `${name}.br`), brotliCompressSync(content, { params }));
        writeFileSync(path.join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  },
};

/** The redemption page and the API reference are documents of their own, at the same addresses as in the built server. */
const pages: Plugin = {
  name: 'pages',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      request.url = request.url?.replace(/^\/(redeem|docs)\/?(?=$|\?)/, '/$1.html');
      next();
    });
  },
};

const brought = /\/(react|preload-helper|router|removable|session|locale|own-zone|utils)-/;
/** The frame around every screen has loaded these chunks, or loads them at the same time as the screen. */
const around =
  /\/(api|dist|toast|format|states|errors|hooks|copy-button|zone|operation|tooltip|useMutation|useQuery|time-ago|refresh|menu|theme)-/;
/** Screens that are opened without it, and it itself. */
const alone =
  /\/(_app|-error-screens|device|forgot-password|invite|login|not-authorized|pricing|register|reset-password|shell|terms|till|verify-email)-/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // the SDK's source, so that neither a build nor hot reload waits for its build
  resolve: { conditions: ['@tonerow/source', ...defaultClientConditions] },
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: page('src/routes'),
      generatedRouteTree: page('src/routeTree.gen.ts'),
      routeFileIgnorePattern: '\\.test\\.',
      quoteStyle: 'single',
      semicolons: true,
      addExtensions: true,
    }),
    react(),
    tailwindcss(),
    help,
    preloadTextFont,
    compressed,
    scalar(),
    pages,
  ],
  build: {
    // The policy allows fonts from our own origin only, so no asset may become a data: URL.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: {
      polyfill: false,
      // chunks that are loaded already, or anyway, need no second mention in the first download
      resolveDependencies: (importer, files, { hostType }) =>
        hostType === 'js'
          ? files.filter((file) => !brought.test(file) && (alone.test(importer) || !around.test(file)))
          : files,
    },
    rolldownOptions: {
      input: {
        index: page('index.html'),
        redeem: page('redeem.html'),
        help: page('help.html'),
        docs: page('docs.html'),
      },
      output: {
        // the first download lists the names of all others, so that only those that are told apart by name have one
        hashCharacters: 'base36',
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: ({ name, facadeModuleId }) =>
          facadeModuleId?.includes('/src/redeem/') || [brought, around, alone].some((named) => named.test(`/${name}-`))
            ? 'assets/[name]-[hash:7].js'
            : 'assets/[hash:7].js',
        // every screen needs all of it, so that one file is smaller than many
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'router',
              test: /node_modules\/(@tanstack\/(react-router|router-core|history|react-store|store)|use-sync-external-store)\/|\/(values\.gen|search-params)\.ts$/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/media'].map((path) => [path, `http://127.0.0.1:${process.env.PORT ?? 4000}`])),
  },
});
