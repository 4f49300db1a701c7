import { expect, test } from 'vitest'
import { openReceiver } from '../../../conformance/receiver.js'
import { annEmail, openClient, requestToken, startRelay } from '../dashboard-relay.js'
import { enterPassword, setUpApp } from './second-factor.js'

test('a webhook reports sign-ins with password or code, and refused ones', async () => {
  const { url, ann, openBrowser } = await startRelay()
  const receiver = await openReceiver()
  const { subscriptions, audit } = openClient(url, ann)
  for (const event of ['person.signed_in', 'person.sign_in_refused'] as const)
    await subscriptions.create({ event, url: `${receiver.url}/${event}`, method: 'POST' })
  /** The sign-in of the next webhook, as the audit log has it. */
  const readNext = async (event: string) => {
    const { target } = await receiver.next()
    expect(target).not.toContain('example.com')
    const { pathname, searchParams } = new URL(target, url)
    expect(pathname).toBe(`/${event}`)
    return await audit.get(searchParams.get('audit[id]') ?? '')
  }
  const actor = { kind: 'person', name: annEmail }
  const signedIn = { action: 'person.sign_in', refused: false, actor, address: '127.0.0.1' }
  const browser = await openBrowser()
  expect(await readNext('person.signed_in')).toMatchObject(signedIn)
  const { recoveryCodes } = await setUpApp(browser, Date.now)
  // The password alone is no sign-in.
  const other = await enterPassword(url)
  await other.post('/login/code', { code: recoveryCodes[0] ?? '' })
  expect(await readNext('person.signed_in')).toMatchObject(signedIn)
  for (let wrong = 0; wrong < 12; wrong += 1) await requestToken(url, annEmail, 'wrong')
  const refused = { ...signedIn, refused: true }
  expect(await readNext('person.sign_in_refused')).toMatchObject(refused)
})
