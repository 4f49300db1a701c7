import { expect, test } from 'vitest'
import { type Browser, getHiddenField, getShownSecret } from '../browser.js'
import { bobEmail, password, startWithBrowsers } from '../dashboard-relay.js'
import { invite } from '../people/people-rig.js'
import { setUpApp } from '../security/second-factor.js'

const hour = 60 * 60_000
const samEmail = 'sam@example.com'
const newPassword = 'a new horse battery'
const passwordForm = { password, new_password: newPassword, repeated: newPassword }

/** Ann, the owner, with the person Sam in her account, and Bob's account; each in a browser. */
async function start() {
  let now = Date.UTC(2030, 0, 1)
  const relay = await startWithBrowsers({}, { now: () => now })
  const { browser: ann, openBrowser } = relay
  const link = await invite(ann, samEmail, 'sender')
  await ann.post(link, { new_password: password, repeated: password })
  const { text } = await ann.get('/settings/people')
  const samPath = /\/settings\/people\/[^/"]+(?=\/role)/.exec(text)?.[0] ?? ''
  const openBoth = async (email: string) => [await openBrowser(email), await openBrowser(email)]
  const advanceTime = (milliseconds: number) => {
    now += milliseconds
  }
  return { ...relay, ann, samPath, openBoth, advanceTime, now: () => now }
}

interface Ending {
  readonly email: string
  /** Ends the session of the first browser; resolves to the password afterwards. */
  readonly end: (
    rig: Awaited<ReturnType<typeof start>>,
    other: Browser,
  ) => Promise<string | undefined>
}

async function confirm(ann: Browser, path: string): Promise<string> {
  const was = getHiddenField((await ann.get(path)).text, 'was')
  return (await ann.submit(path, { was, password })).text
}

const endings: Readonly<Record<string, Ending>> = {
  'after 12 hours': {
    email: bobEmail,
    end: async ({ advanceTime }) => {
      advanceTime(12 * hour)
      return password
    },
  },
  'after 30 days': {
    email: samEmail,
    end: async ({ advanceTime }) => {
      advanceTime(30 * 24 * hour)
      return password
    },
  },
  'by "Sign out the others"': {
    email: samEmail,
    end: async (_, other) => {
      await other.submit('/settings/security/sessions/end-others')
      return password
    },
  },
  'by "Sign out everywhere" elsewhere': {
    email: bobEmail,
    end: async (_, other) => {
      await other.submit('/settings/security/sessions/end-all')
      return password
    },
  },
  'by a new password of an account': {
    email: bobEmail,
    end: async (_, other) => {
      await other.submit('/settings/password', passwordForm)
      return newPassword
    },
  },
  'by a new password of a person': {
    email: samEmail,
    end: async (_, other) => {
      await other.submit('/settings/password', passwordForm)
      return newPassword
    },
  },
  'by a password that the owner set': {
    email: bobEmail,
    end: async ({ ann, bob }) =>
      getShownSecret(await confirm(ann, `/accounts/${bob.id}/password`), 'new-password'),
  },
  'by a password from the command line': {
    email: bobEmail,
    end: async ({ administration }) => (await administration.setPassword(bobEmail)).password,
  },
  'after 12 hours, with a new API key': {
    email: bobEmail,
    end: async ({ ann, bob, advanceTime }) => {
      await confirm(ann, `/accounts/${bob.id}/keys/api`)
      advanceTime(12 * hour)
      return password
    },
  },
  'by a reset of the second factor': {
    email: samEmail,
    end: async ({ ann, samPath, now }, other) => {
      await setUpApp(other, now)
      await confirm(ann, `${samPath}/second-factor`)
      return password
    },
  },
  'by a removal of the person': {
    email: samEmail,
    end: async ({ ann, samPath }) => {
      await ann.submit(`${samPath}/remove`)
      return undefined
    },
  },
}

test.each(Object.entries(endings))('a form of a session that ended %s', async (_, ending) => {
  const rig = await start()
  const [first, other] = (await rig.openBoth(ending.email)) as [Browser, Browser]
  const csrf = getHiddenField((await first.get('/send')).text, 'csrf')
  const now = await ending.end(rig, other)
  const headers = { Referer: `${rig.url}/send` }
  const login = await first.post('/send', { csrf, message: 'Not sent' }, { headers })
  expect(login.path).toBe('/login?next=%2Fsend')
  const form = await first.signIn(ending.email, now ?? password)
  expect(form.status).toBe(now === undefined ? 403 : 200)
  expect(await rig.client.messages.list()).toEqual([])
})
