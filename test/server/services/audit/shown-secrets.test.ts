import { expect, test } from 'vitest'
import { annEmail, password } from '../../dashboard/dashboard-relay.js'
import { fetchToken } from '../../dashboard/people/people-rig.js'
import { startAudited } from './audit-rig.js'

test('a secret that a program or a page shows has an entry, and one an hour', async () => {
  let time = Date.UTC(2030, 0)
  const { url, client, ids, call, openBrowser, readNew } = await startAudited(
    {},
    { now: () => time },
  )
  const event = { event: 'message.create', url: 'http://127.0.0.1:1/' } as const
  ids.subscription = (await client.subscriptions.create(event)).id
  const browser = await openBrowser()
  const readShown = async () =>
    (await readNew()).flatMap(({ action, actor, target }) =>
      action.endsWith('.show') ? [[action, actor.name, target?.id]] : [],
    )
  const token = await fetchToken(url, annEmail)
  const reads = [
    { read: 'getUserApp', action: 'key.show' },
    { read: 'getSigningSecret', action: 'signing_secret.show' },
    { read: 'getSubscriptionSecret', action: 'signing_secret.show', path: ids.subscription },
  ] as const
  for (const { read, action, ...request } of reads) {
    for (let n = 0; n < 3; n += 1) await call(token, read, request)
    const target = 'path' in request ? request.path : undefined
    expect(await readShown(), read).toEqual([[action, annEmail, target]])
  }
  time += 61 * 60_000
  const later = await fetchToken(url, annEmail)
  await call(later, 'getUserApp', {})
  expect(await readShown()).toEqual([['key.show', annEmail, undefined]])
  time += 61 * 60_000
  await browser.signIn(annEmail, password)
  const pages = [
    ['/settings/keys', ['key.show', 'signing_secret.show']],
    [`/subscriptions/${ids.subscription}/secret`, ['signing_secret.show']],
  ] as const
  for (const [path, actions] of pages) {
    await browser.get(path)
    expect(await readShown(), path).toEqual([])
    await browser.submit(path, { password })
    await browser.get(path)
    expect((await readShown()).map(([action]) => action).sort(), path).toEqual(actions)
    await browser.submit(path, { hide: '1' })
  }
})
