// Builds the web app to web/dist; while developing, hands API calls and the live socket to the server.
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
  },
  server: { proxy: { '/api/': api } },
  preview: { proxy: { '/api/': api } },
});
