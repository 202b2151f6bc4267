/** Builds dashboard/dist: two pages, the guides, and hashed, precompressed files. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guidePages } from './build/guide-pages.ts';
import { passwordWords } from './build/password-words.ts';
import { precompress } from './build/precompress.ts';
import { scalarScript } from './build/scalar-script.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here('.'),
  plugins: [react(), scalarScript(), guidePages(), passwordWords(), precompress()],
  // The service replaces it with a new nonce in every response.
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: ['chrome111', 'firefox114', 'safari16.4'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: true,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: here('index.html'), reference: here('reference.html'), guide: here('guide.html') },
    },
  },
  server: { proxy: { '/account': 'http://127.0.0.1:8080', '/openapi.json': 'http://127.0.0.1:8080' } },
});
