import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createRelay } from '../../../quick-relay.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { Browser, getHiddenField, type PageReply } from '../browser.js'
import { annEmail, openClient, password } from '../dashboard-relay.js'

const number = '+12025550123'
const text = { message: 'Hello', send_on: '', zone: 'UTC' }

const forms: readonly (readonly [path: string, fields: Readonly<Record<string, string>>])[] = [
  ['/send', { ...text, destination: `${number}, +12025550124` }],
  [`/conversations/${encodeURIComponent(number)}`, text],
]

test('texts that are sent again after a restart of the relay are sent once', async () => {
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
  const replies: PageReply[] = []
  for (const [path, form] of sent) replies.push(await first.post(path, form))
  await relay.stop()
  relay = await createRelay(settings)
  await relay.start()
  const later = new Browser(relay.url)
  for (const [name, value] of first.cookies) later.cookies.set(name, value)
  for (const [at, [path, form]] of sent.entries()) {
    const { status, path: shown } = await later.post(path, form)
    expect({ status, path: shown }, path).toEqual({ status: 200, path: replies[at]?.path })
  }
  const client = openClient(relay.url, keys)
  expect(await client.messages.list({ filter: 'all', count: 100 })).toHaveLength(3)
})
