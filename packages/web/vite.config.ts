import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

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
        writeFileSync(path.join(dir, `${name}.br`), brotliCompressSync(content));
        writeFileSync(path.join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  },
};

/** The redemption page is a document of its own, at the same address as in the built server. */
const redemptionPage: Plugin = {
  name: 'redemption-page',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      request.url = request.url?.replace(/^\/redeem\/?(?=$|\?)/, '/redeem.html');
      next();
    });
  },
};

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
    preloadTextFont,
    compressed,
    redemptionPage,
  ],
  build: {
    // The policy allows fonts from our own origin only, so no asset may become a data: URL.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { index: page('index.html'), redeem: page('redeem.html') } },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/media'].map((path) => [path, `http://127.0.0.1:${process.env.PORT ?? 4000}`])),
  },
});
