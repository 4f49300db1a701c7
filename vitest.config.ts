import { defineConfig } from 'vitest/config'

/** Pages are compiled as `tsc` does it, without what helps debuggers. */
const oxc = {
  jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment', development: false },
} as const

export default defineConfig({
  oxc,
  test: {
    // More than there are cores: the tests wait for disks, clocks and programs a third of the time.
    maxWorkers: 3,
    // Nothing in src happens at import time, so files may share what was imported: half of the time of all tests.
    isolate: false,
    // Where the machine is shared with others a test may be tried again; the report tells of it.
    retry: Number(process.env.SMSRELAY_TEST_RETRY ?? 0),
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'source',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
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
