import { expect, test } from 'vitest'
import { Browser, readRows } from '../browser.js'
import { password } from '../dashboard-relay.js'
import { invite, startWithPeople } from './people-rig.js'

const people = '/settings/people'

/** The admin has invited an accomplice, and Ann another person. */
async function start() {
  const relay = await startWithPeople()
  const { annBrowser, browsers } = relay
  const links = {
    admin: await invite(browsers.admin, 'accomplice@example.com', 'admin'),
    ann: await invite(annBrowser, 'carl@example.com', 'reader'),
  }
  const { text } = await annBrowser.get(people)
  const ids = [...text.matchAll(/action="\/settings\/people\/([^"/]*)\/role"/g)].map(m => m[1])
  const open = async (path: string) => (await new Browser(relay.url).get(path)).status
  return { ...relay, links, path: `${people}/${ids[2]}`, open }
}

test.each([
  ['is removed', 'remove', {}],
  ['is no longer an admin', 'role', { role: 'sender' }],
])('the invitations of somebody who %s are revoked, those of others stay', async (_, act, form) => {
  const { ann, annBrowser, browsers, links, path, open } = await start()
  // The invitation is also found after its maker has changed the address.
  const email = 'other@example.com'
  await browsers.admin.submit('/settings/email', { email, password })
  expect([await open(links.admin), await open(links.ann)]).toEqual([200, 200])
  await annBrowser.submit(`${path}/role`, { role: 'admin' })
  expect(await open(links.admin)).toBe(200)
  await annBrowser.submit(`${path}/${act}`, form)
  expect([await open(links.admin), await open(links.ann)]).toEqual([404, 200])
  const audit = readRows((await annBrowser.get(`/audit?account=${ann.id}`)).text).map(cells =>
    cells.join(' '),
  )
  const entries = audit.filter(each => each.includes(email) && /remove|role/.test(each))
  expect(entries, entries.join('; ')).toHaveLength(1)
})
