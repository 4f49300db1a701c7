/** Whether all tests run, at full size: `npm run test:all`, and not `npm test`. */
export const isFullRun = process.env.SMSRELAY_TEST_TIER === 'all'

/** How often a soak repeats its work: a fifth in `npm test`. */
export function scale(count: number): number {
  return isFullRun ? count : Math.ceil(count / 5)
}
