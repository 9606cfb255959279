import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    environment: 'jsdom',
    // For a test that hangs, not for one that is slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: [join(import.meta.dirname, 'test/setup.ts')],
    restoreMocks: true,
    // The app's log of calls that a test lets fail.
    onConsoleLog: (log) => !/^(Qinbox: |Not implemented: navigation)/.test(log),
    unstubGlobals: true,
  },
});
