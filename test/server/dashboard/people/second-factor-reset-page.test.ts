import { expect, test } from 'vitest'
import { Browser, getHiddenField, readRows } from '../browser.js'
import { password } from '../dashboard-relay.js'
import { setUpApp } from '../security/second-factor.js'
import { emails, fetchToken, startWithPeople } from './people-rig.js'

async function start() {
  const relay = await startWithPeople()
  const { sender } = relay.browsers
  const { app } = await setUpApp(sender, Date.now)
  const { text } = await relay.annBrowser.get('/settings/people')
  const [, path = ''] = /href="(\/settings\/people\/[^"]*\/second-factor)"/.exec(text) ?? []
  return { ...relay, app, path }
}

test('an admin resets a second factor, which signs the person out', async () => {
  const { url, annBrowser, browsers, path } = await start()
  const states = async () =>
    readRows((await annBrowser.get('/settings/people')).text).map(cells => cells[2])
  expect(await states()).toEqual(['off', 'off', 'onReset', 'off'])
  const guest = new Browser(url)
  expect((await guest.signIn(emails.sender, password)).path).toBe('/login/code')
  const asked = await annBrowser.get(path)
  expect(asked.text).toContain(`Reset the second factor of ${emails.sender}`)
  expect(asked.text).toMatch(/class="crumbs"[^>]*><a href="\/settings\/people"/)
  const was = getHiddenField(asked.text, 'was')
  const wrong = await annBrowser.submit(path, { password: 'wrong', was })
  expect([wrong.status, Object.keys(wrong.errors)]).toEqual([403, ['password']])
  expect((await browsers.sender.get('/')).path).toBe('/')
  const done = await annBrowser.submit(path, { password, was })
  expect(done.notice?.text).toContain(`${emails.sender} is signed out`)
  expect((await browsers.sender.get('/')).path).toBe('/login')
  expect((await guest.signIn(emails.sender, password)).path).toBe('/')
  expect(await states()).toEqual(['off', 'off', 'off', 'off'])
  const again = await annBrowser.get(path)
  expect([again.status, again.text]).toEqual([409, expect.stringContaining('no second factor')])
  const audit = readRows((await annBrowser.get('/audit')).text).map(cells => cells.join(' '))
  expect(audit.filter(each => each.startsWith('Second factor: reset'))).toEqual([
    expect.stringContaining(emails.sender),
  ])
})

test('nobody resets the own second factor, or that of another account', async () => {
  const { administration, openBrowser, browsers, path, url } = await start()
  const { admin } = browsers
  const { recoveryCodes } = await setUpApp(admin, Date.now)
  const token = await fetchToken(url, emails.admin, recoveryCodes[0])
  const { text } = await admin.get('/settings/people')
  const links = [...text.matchAll(/href="\/settings\/people\/([^"]*)\/second-factor"/g)]
  expect(links).toHaveLength(1)
  const ids = [...text.matchAll(/action="\/settings\/people\/([^"/]*)\/role"/g)].map(m => m[1])
  expect((await admin.get(`/settings/people/${ids[2]}/second-factor`)).status).toBe(409)
  const reset = async (id: string | undefined) => {
    const headers = { Authorization: `Bearer ${token}` }
    const address = `${url}/api/1/person/${id}/second-factor`
    return (await fetch(address, { method: 'DELETE', headers })).status
  }
  expect([await reset(ids[2]), await reset(ids[1])]).toEqual([409, 200])
  await administration.createAccount({ email: 'bob@example.com', password })
  const bob = await openBrowser('bob@example.com')
  expect((await bob.get(path)).status).toBe(404)
  expect((await bob.post(path, { password })).status).toBe(403)
})
