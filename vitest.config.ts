import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Vitest leaves a core free; the tests wait for the disk often enough to share it.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'source',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'built',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
