import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Pages are compiled as `tsc` does it, without what helps debuggers. */
const oxc = {
  jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment', development: false },
} as const

/** What takes as long as many others together, wherever it is known of no file how long it takes. */
const long = ['dashboard', 'chaos', 'package', 'model', 'soak', 'hook-listen', 'chaos-events']

/** Begins with what takes long, so that nothing is left to wait for alone. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = long.findIndex(name => moduleId.endsWith(`/${name}.test.ts`))
      return found === -1 ? long.length : found
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  oxc,
  test: {
    // More than there are cores: the tests wait for disks, clocks and programs half of the time.
    maxWorkers: 3,
    // Nothing in src happens at import time, so files may share what was imported: half of the time of all tests.
    isolate: false,
    sequence: { sequencer: LongFirst },
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
