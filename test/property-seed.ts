import { configureGlobal } from 'fast-check'
import { watchFile } from './file-finished.js'
import { scale } from './tier.js'

/**
 * Property tests take the same values in every run, so that a change decides whether they pass.
 * `SMSRELAY_TEST_SEED=N npm test` takes others.
 */
const seed = Number(process.env.SMSRELAY_TEST_SEED ?? 20_261_122)

configureGlobal({ seed, numRuns: scale(100) })

watchFile()
