import { describe, expect, test } from 'vitest'
import type { Administration } from '../../../src/server/admin/administration.js'
import { describeError, ways } from './rig.js'

const email = 'ann@example.com'

describe.each(ways)('administration %s', (_, open) => {
  test('sets the texts of automatic replies, and switches them off', async () => {
    const admin = await open()
    const account = await admin.createAccount({ email })
    const texts = { helpText: ' Help ', stopText: 'Bye' }
    const changed = await admin.changeAccount(email, texts)
    expect(changed).toMatchObject({ id: account.id, help_text: 'Help', stop_text: 'Bye' })
    const after = await admin.changeAccount(email, { helpText: '' })
    expect(after).not.toHaveProperty('help_text')
    expect(after).toMatchObject({ stop_text: 'Bye' })
    const tooLong = admin.changeAccount(email, { stopText: 'x'.repeat(1601) })
    await expect(tooLong).rejects.toMatchObject({ code: 'invalid_parameter' })
    expect(await admin.showAccount(email)).toEqual(after)
  })

  test('makes another account the owner', async () => {
    const admin = await open()
    await admin.createAccount({ email })
    await admin.createAccount({ email: 'bob@example.com' })
    const owners = async () => (await admin.listAccounts()).map(({ owner }) => owner)
    expect(await owners()).toEqual([true, false])
    const bob = await admin.changeAccount('bob@example.com', { owner: true })
    expect(bob.owner).toBe(true)
    expect(await owners()).toEqual([false, true])
    await admin.deleteAccount('bob@example.com')
    expect(await owners()).toEqual([true])
  })

  test('changes an address, unless another account has it', async () => {
    const admin = await open()
    await admin.createAccount({ email })
    await admin.createAccount({ email: 'bob@example.com' })
    const moved = await admin.changeAccount(email, { email: 'anna@example.com' })
    expect(moved.email).toBe('anna@example.com')
    expect(await admin.showAccount('ANNA@example.com')).toEqual(moved)
    await expect(admin.showAccount(email)).rejects.toMatchObject({ code: 'not_an_account' })
    for (const address of ['BOB@example.com', 'nobody']) {
      const refused = admin.changeAccount('anna@example.com', { email: address })
      await expect(refused).rejects.toMatchObject({ code: 'invalid_parameter' })
    }
    const cased = await admin.changeAccount('anna@example.com', { email: 'Anna@example.com' })
    expect(cased.email).toBe('Anna@example.com')
  })

  test.each([
    ['secret', ['email', 'secret_key']],
    ['api', ['email', 'api_key']],
    ['app', ['email', 'app_key']],
    ['hook', ['email', 'hook_secret']],
    ['all', ['email', 'secret_key', 'api_key', 'app_key', 'hook_secret']],
  ] as const)('rotates %s and gives %j', async (which, names) => {
    const admin = await open()
    const before = await admin.createAccount({ email })
    const rotated = await admin.rotateKeys(email, which)
    expect(Object.keys(rotated)).toEqual(names)
    const { secret_key, app_key } = await admin.showAccount(email)
    expect(secret_key).toBe(rotated.secret_key ?? before.secret_key)
    expect(app_key).toBe(rotated.app_key ?? before.app_key)
  })
})

const refusals: [string, (admin: Administration) => Promise<unknown>, string][] = [
  [
    'show of an unknown account',
    admin => admin.showAccount('nobody@example.com'),
    'not_an_account',
  ],
  [
    'change of an unknown account',
    admin => admin.changeAccount('nobody@b.c', {}),
    'not_an_account',
  ],
  [
    'rotate of an unknown account',
    admin => admin.rotateKeys('nobody@b.c', 'all'),
    'not_an_account',
  ],
  ['password of an unknown account', admin => admin.setPassword('nobody@b.c'), 'not_an_account'],
  ['delete of an unknown account', admin => admin.deleteAccount('nobody@b.c'), 'not_an_account'],
  [
    'a second account of that address',
    admin => admin.createAccount({ email }),
    'invalid_parameter',
  ],
  ['a bad address', admin => admin.createAccount({ email: 'ann' }), 'invalid_parameter'],
  ['a short password', admin => admin.setPassword(email, 'short'), 'invalid_parameter'],
  ['a common password', admin => admin.setPassword(email, 'Trustno1'), 'invalid_parameter'],
  ['a bad country', admin => admin.changeAccount(email, { country: 'XX' }), 'invalid_parameter'],
  ['a bad number', admin => admin.addDoNotText('202-555-0143'), 'invalid_parameter'],
  ['a number that is not listed', admin => admin.removeDoNotText('+12025550143'), 'not_found'],
]

test('both implementations throw the same errors, which change nothing', async () => {
  const both = await Promise.all(ways.map(([, open]) => open()))
  await Promise.all(both.map(admin => admin.createAccount({ email })))
  for (const [what, act, code] of refusals) {
    const [local, remote] = await Promise.all(both.map(admin => describeError(act(admin))))
    expect(local, what).toMatchObject({ name: 'RelayError', code })
    expect(remote, what).toEqual(local)
    for (const admin of both) {
      expect(await admin.listAccounts(), what).toMatchObject([{ email, country: 'US' }])
    }
  }
})
