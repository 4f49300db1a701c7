import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createRelay } from '../../../quick-relay.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { Browser, getHiddenField } from '../browser.js'
import { annEmail, openClient, password } from '../dashboard-relay.js'

const number = '+12025550123'
const text = { message: 'Hello', send_on: '', zone: 'UTC' }

/** Forms that send messages. */
const forms: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
  ['/send', { ...text, destination: `${number}, +12025550124` }],
  [`/conversations/${encodeURIComponent(number)}`, text],
]

test('a form that is sent again after a restart of the relay sends no message twice', async () => {
  const settings = { dataDir: await temporaryFolder(), port: 0 }
  let relay = await createRelay(settings)
  onTestFinished(async () => await relay.stop())
  await relay.start()
  const keys = await relay.administration.createAccount({ email: annEmail, password })
  const first = new Browser(relay.url)
  await first.signIn(annEmail, password)
  const csrf = getHiddenField((await first.get('/')).text, 'csrf')
  const sent = forms.map(
    ([path, fields]) => [path, { csrf, key: randomUUID(), ...fields }] as const,
  )
  const paths: string[] = []
  for (const [path, form] of sent) paths.push((await first.post(path, form)).path)
  await relay.stop()
  relay = await createRelay(settings)
  await relay.start()
  const later = new Browser(relay.url)
  for (const [name, value] of first.cookies) later.cookies.set(name, value)
  for (const [at, [path, form]] of sent.entries())
    expect((await later.post(path, form)).path).toBe(paths[at])
  const client = openClient(relay.url, keys)
  expect(await client.messages.list({ filter: 'all', count: 100 })).toHaveLength(3)
})
