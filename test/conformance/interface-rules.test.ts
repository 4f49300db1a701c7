import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RelayUnderTest, VerifyTarget } from '../../src/cli/verify/relay/relay-under-test.js'
import type { Rule } from '../../src/cli/verify/relay/rule.js'
import { allRules } from '../../src/cli/verify/rules/all-rules.js'
import { openRelayUnderTest, runRules } from '../../src/cli/verify/run-rules.js'
import type { RelayOverrides } from '../../src/index.js'
import { chosenStore } from '../chosen-store.js'
import { createRelay } from '../quick-relay.js'
import { FakeClock } from '../util/async/fake-clock.js'

/** Starts a relay with two accounts for the tests of a block. */
function useRelayUnderTest(
  overrides: RelayOverrides = {},
  moveClock?: VerifyTarget['moveClock'],
): { readonly relay: RelayUnderTest } {
  const opened = {} as { relay: RelayUnderTest }
  const closers: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-rules-'))
    closers.push(async () => await rm(dataDir, { recursive: true, force: true }))
    const server = await createRelay({ dataDir, host: '127.0.0.1', port: 0 }, overrides)
    closers.push(async () => await server.stop())
    await server.start()
    const [keys, otherKeys] = [
      await server.administration.createAccount({ email: 'owner@example.com' }),
      await server.administration.createAccount({ email: 'other@example.com' }),
    ].map(account => ({
      secretKey: account.secret_key,
      apiKey: account.api_key,
      appKey: account.app_key,
      email: account.email,
      password: account.password,
    }))
    const inbox = { host: '127.0.0.1', port: 0, wait: 60_000 }
    const time = { timeout: 60_000, failureTime: 600_000 }
    const target = { url: server.url, keys, otherKeys, ...time, inbox, moveClock }
    opened.relay = await openRelayUnderTest(target as VerifyTarget, new AbortController().signal)
    closers.push(async () =>
      expect(await opened.relay.close(AbortSignal.timeout(60_000))).toEqual([]),
    )
  })
  afterAll(async () => {
    for (const close of closers.toReversed()) await close()
  })
  return opened
}

function nameRules(rules: readonly Rule[]): [string, Rule][] {
  return rules.map(rule => [`${rule.section} ${rule.title}`, rule])
}

describe('a relay', () => {
  const opened = useRelayUnderTest()
  const rules = allRules.filter(({ needsClock }) => needsClock !== true)

  test.each(nameRules(rules))('%s', async (_, rule) => {
    for await (const result of runRules(opened.relay, [rule])) {
      expect(result).toMatchObject({ result: 'pass' })
    }
  })
})

// A relay on a database takes the time from the database.
describe.skipIf(chosenStore === 'postgres')('a relay whose clock moves', () => {
  const rules = allRules.filter(({ needsClock }) => needsClock === true)
  const clock = new FakeClock({ start: Date.now() })
  const opened = useRelayUnderTest({ clock }, async milliseconds => clock.advance(milliseconds))

  test.each(nameRules(rules))('%s', async (_, rule) => {
    for await (const result of runRules(opened.relay, [rule])) {
      expect(result).toMatchObject({ result: 'pass' })
    }
  })
})
