import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{core,adapters,api,cli,test}/**/*.test.ts'],
    testTimeout: 20_000,
  },
});
