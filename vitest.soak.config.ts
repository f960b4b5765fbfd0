import { defineConfig } from 'vitest/config'
import { workerPlugin } from './scripts/workers.mjs'

export default defineConfig({
  plugins: [workerPlugin()],
  test: { include: ['src/**/*.{slow,soak}.test.ts', 'test/**/*.{slow,soak}.test.ts'], setupFiles: ['test/same-examples.ts'], pool: 'threads', fileParallelism: false, testTimeout: 600_000, hookTimeout: 120_000 },
})
