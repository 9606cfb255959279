// Builds the web app to web/dist; in development, proxies API calls and the live socket to the server.
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { FIRST_PAINT, firstListPart, startPart } from './chunks.ts';
import { docs } from './docs/plugin.ts';
import { precompress } from './precompress.ts';
import { prerender } from './prerender.ts';
import { serviceWorker } from './service-worker.ts';

const api = { target: `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`, ws: true };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), prerender(), docs(), serviceWorker(), precompress()],
  // React has it itself; the stand-in is for versions before 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(?:\/index\.js)?$/, replacement: 'react' }] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // Every browser that runs es2023 preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        'first-paint': FIRST_PAINT,
      },
      // A chunk that is merged with an entry would run it wherever it is used.
      experimental: { chunkOptimization: { mergeCommonChunks: false } },
      output: {
        codeSplitting: {
          // Icons and small parts that several screens share would each be a file, and on a phone the number
          // of files costs time.
          includeDependenciesRecursively: false,
          groups: [
            // What every page runs at once, in one file, and in another what the first list needs of it.
            { name: (id, context) => startPart(id, context), debugName: 'start', priority: 3 },
            { name: 'outbox', test: /web\/src\/lib\/outbox|node_modules\/idb\//, priority: 2 },
            {
              name: 'parts',
              test: /node_modules\/lucide-react|web\/src\/ui\/(?:banner|button|copyable|keys|priority-mark|spinner)|web\/src\/lib\/(?:labels|page-title|public-config|quick-curl|use-fetched-once)/,
              minShareCount: 2,
              maxModuleSize: 8192,
              priority: 2,
            },
            { name: (id, context) => firstListPart(id, context), debugName: 'first list', priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api/': api } },
  preview: { proxy: { '/api/': api } },
});
