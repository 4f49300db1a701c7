import { afterEach, expect, test } from 'vitest'
import { canLimitFiles, limitFiles } from '../../store/lowdb/file-size-limit.js'
import { startRelay } from '../dashboard-relay.js'

afterEach(() => {
  if (canLimitFiles) limitFiles('unlimited')
})

test.skipIf(!canLimitFiles)('a full disk is the first problem of the overview', async () => {
  let now = Date.UTC(2030, 0)
  const { openBrowser } = await startRelay({}, { now: () => now })
  const browser = await openBrowser()
  limitFiles(0)
  now += 60 * 60_000
  const input = { destination: '+12025550123', message: 'Hello' }
  const failed = await browser.submit('/send', input)
  expect(failed.status).toBe(503)
  const problem = 'The relay cannot store changes'
  await expect.poll(async () => (await browser.get('/')).text).toContain(problem)
  const overview = await browser.get('/')
  expect(overview).toMatchObject({ status: 200, path: '/' })
  expect(overview.text).toContain('<title>(1) Overview')
  expect(overview.text).toContain('Nothing can be sent or changed.')
  limitFiles('unlimited')
  await expect.poll(async () => (await browser.get('/')).text).not.toContain(problem)
})
