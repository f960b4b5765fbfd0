import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.soak.test.ts'],
    isolate: false,
    pool: 'threads',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
