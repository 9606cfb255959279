// Builds the web app to web/dist; in development, proxies API calls and the live socket to the server.
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';
import { prerender } from './prerender.ts';
import { serviceWorker } from './service-worker.ts';

const api = { target: `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`, ws: true };

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), prerender(), serviceWorker(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // Every browser that runs es2023 preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Icons and small parts that several screens share would each be a file, and on a phone the number
          // of files costs time.
          includeDependenciesRecursively: false,
          groups: [
            { name: 'outbox', test: /web\/src\/lib\/outbox|node_modules\/idb\// },
            {
              name: 'parts',
              test: /node_modules\/lucide-react|web\/src\/ui\/(?:banner|button|copyable|keys|page-title|priority-mark|spinner)/,
              minShareCount: 2,
              maxModuleSize: 8192,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api/': api } },
  preview: { proxy: { '/api/': api } },
});
