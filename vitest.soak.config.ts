import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['src/**/*.soak.test.ts', 'test/**/*.soak.test.ts'], pool: 'threads', fileParallelism: false, testTimeout: 600_000, hookTimeout: 120_000 },
})
