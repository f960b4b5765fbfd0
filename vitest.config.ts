import { configDefaults, defineConfig } from 'vitest/config'
import { workerPlugin } from './scripts/workers.mjs'

export default defineConfig({
  plugins: [workerPlugin()],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.{slow,soak}.test.ts'],
    setupFiles: ['test/same-examples.ts'],
    isolate: false,
    pool: 'threads',
    // Most tests wait for processes, not for a processor.
    maxWorkers: 2,
    // A test that hangs is found all the same; one on a busy machine is not taken for it.
    testTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
  },
})
