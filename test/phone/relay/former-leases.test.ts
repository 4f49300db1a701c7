import { expect, it } from 'vitest'
import { RelayClient } from '../../../src/index.js'
import { releaseFormerLeases } from '../../../src/phone/relay/former-leases.js'
import { createClock } from '../../../src/util/async/clock.js'
import { clientWith, setUp } from '../relay-rig.js'

/** Releases the messages of former workers, of which the phone reports those with an outcome. */
async function release(hasOutcome: boolean) {
  const { url, account, send } = await setUp({ mode: 'at-most-once' })
  const { id } = await send()
  const worker = clientWith(url, account, 'app_key')
  const { access_token: token } = await worker.issueToken()
  const createClient = (given: string) =>
    new RelayClient({ url, credentials: { token: given }, retries: 0 })
  expect(await createClient(token).messages.next()).toMatchObject({ id })
  const removed: string[] = []
  await releaseFormerLeases({
    workers: {
      listTokens: async () => [token, 'srt_revoked'],
      removeToken: async given => void removed.push(given),
      createClient,
      hasOutcome: () => hasOutcome,
    },
    clock: createClock(),
    random: Math.random,
    stop: new AbortController().signal,
  })
  expect(removed).toEqual([token, 'srt_revoked'])
  return { id, next: await clientWith(url, account, 'app_key').messages.next() }
}

it('the message of a former worker is given to the phone at once', async () => {
  const { id, next } = await release(false)
  expect(next).toMatchObject({ id })
})

it('a message with an outcome of a former worker is not released', async () => {
  expect((await release(true)).next).toBeUndefined()
})
