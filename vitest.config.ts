import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Pages are compiled as in the build, without additions for debuggers. */
const oxc = {
  jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment', development: false },
} as const

/** What `npm test` runs of the built program; `npm run test:all` runs all of `test/e2e`. */
const smoke = [
  'test/e2e/dashboard/dashboard.test.ts',
  'test/e2e/durability.test.ts',
  'test/e2e/relay.test.ts',
  'test/e2e/cli/reference.test.ts',
]

/** What only `npm run test:all` runs: pages of two nodes, `verify` against wrong relays, all logs. */
const nightly = [
  'test/cli/verify/verify-faults.test.ts',
  'test/server/dashboard/**/*-nodes.test.ts',
  'test/server/dashboard/forms/forms-on-two-nodes.test.ts',
  'test/server/dashboard/page/live-outage.test.ts',
  'test/server/log/private-pages.test.ts',
]

/** The interface on a database in `npm test`: its rules, and what its claims and queries decide. */
const rules = [
  'test/conformance/interface-rules.test.ts',
  'test/conformance/endpoints/4.2-*.test.ts',
  'test/conformance/extensions/batches/*.test.ts',
]

/** What `npm run test:all` also tests with relays on a database. */
const shared = [
  'test/conformance/**/*.test.ts',
  'test/resources/*.test.ts',
  'test/server/dashboard/**/*-page.test.ts',
  'test/server/dashboard/security.test.ts',
  'test/server/secret-url/**/*.test.ts',
]

/** Workers keep what they imported until the project changes, so each project runs as a whole. */
const projects = ['built', 'postgres', 'source']

/** The files that take as long as many others together. */
const long = ['dashboard', 'chaos', 'package', 'docs', 'verify', 'durability', 'postgres-messages']

/** Starts long files first, so that none of them runs alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const found = long.findIndex(name => moduleId.endsWith(`${name}.test.ts`))
      return projects.indexOf(project.name) * 100 + (found === -1 ? long.length : found)
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig(({ mode }) => {
  const isFull = mode === 'all'
  const tier = { SMSRELAY_TEST_TIER: isFull ? 'all' : 'fast' }
  const globalSetup = 'test/server/store/postgres/global-setup.ts'
  const limits = { testTimeout: 240_000, hookTimeout: 240_000 }
  return {
    oxc,
    test: {
      // More workers than cores: the tests wait for disks, timers and programs half of the time.
      maxWorkers: 5,
      setupFiles: ['test/property-seed.ts'],
      // Nothing in src happens at import time, so files may share imported modules.
      isolate: false,
      sequence: { sequencer: LongFirst },
      // A busy machine takes several times as long as a quiet one.
      expect: { poll: { timeout: 60_000 } },
      projects: [
        {
          extends: true,
          test: {
            ...limits,
            globalSetup,
            name: 'source',
            include: ['test/**/*.test.ts'],
            exclude: ['test/e2e/**', ...(isFull ? [] : nightly)],
            env: tier,
          },
        },
        {
          extends: true,
          test: {
            ...limits,
            globalSetup,
            name: 'postgres',
            include: isFull ? shared : rules,
            env: { ...tier, SMSRELAY_TEST_STORE: 'postgres' },
          },
        },
        {
          extends: true,
          test: {
            ...limits,
            name: 'built',
            include: isFull ? ['test/e2e/**/*.test.ts'] : smoke,
            env: tier,
          },
        },
      ],
    },
  }
})
