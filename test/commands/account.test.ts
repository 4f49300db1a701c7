import { describe, expect, it } from 'vitest'
import AccountCreate from '../../commands/account/create.js'
import AccountDelete from '../../commands/account/delete.js'
import AccountList from '../../commands/account/list.js'
import AccountPassword from '../../commands/account/password.js'
import AccountRotate from '../../commands/account/rotate.js'
import AccountSet from '../../commands/account/set.js'
import AccountShow from '../../commands/account/show.js'
import TokenIssue from '../../commands/token/issue.js'
import { temporaryFolder } from '../temporary-folder.js'
import { type CommandInput, run, startSharedRelay } from './harness.js'

const newKeys = ['id', 'email', 'password', 'secret_key', 'api_key', 'app_key']
const shownKeys = ['id', 'email', 'country', 'mode', 'created_on', 'owner']

async function json(command: Parameters<typeof run>[0], argv: string[], given?: CommandInput) {
  const result = await run(command, [...argv, '--json'], given)
  return { code: result.code, stderr: result.stderr, value: JSON.parse(result.stdout) }
}

describe('accounts of a data directory without a running relay', () => {
  it('are created, listed, shown, set, rotated and deleted', async () => {
    const data = ['--data', await temporaryFolder()]
    expect((await json(AccountList, data)).value).toEqual([])
    const created = (await json(AccountCreate, ['ann@example.com', '--country', 'DE', ...data]))
      .value
    expect(Object.keys(created)).toEqual(newKeys)
    const shown = (await json(AccountShow, ['ann@example.com', ...data])).value
    expect(Object.keys(shown)).toEqual(shownKeys)
    const withKeys = (await json(AccountShow, ['ann@example.com', '--show-keys', ...data])).value
    const { secret_key, app_key } = created
    expect(withKeys).toEqual({ ...shown, secret_key, app_key })
    expect(shown).toMatchObject({ email: 'ann@example.com', country: 'DE', mode: 'at-least-once' })
    const set = await json(AccountSet, ['ann@example.com', '--mode', 'at-most-once', ...data])
    expect(set.value).toEqual({ ...shown, mode: 'at-most-once' })
    expect((await json(AccountList, data)).value).toEqual([set.value])
    await json(AccountCreate, ['bob@example.com', ...data])
    const owner = await json(AccountSet, ['bob@example.com', '--owner', ...data])
    expect(owner.value).toMatchObject({ email: 'bob@example.com', owner: true })
    expect((await json(AccountShow, ['ann@example.com', ...data])).value.owner).toBe(false)
    await json(AccountDelete, ['bob@example.com', '--yes', ...data])
    const moved = await json(AccountSet, ['ann@example.com', '--email', 'a@example.com', ...data])
    expect(moved.value).toMatchObject({ email: 'a@example.com', id: created.id })
    await json(AccountSet, ['a@example.com', '--email', 'ann@example.com', ...data])
    const rotated = (await json(AccountRotate, ['ann@example.com', '--key', 'app', ...data])).value
    expect(Object.keys(rotated)).toEqual(['email', 'app_key'])
    expect(rotated.app_key).not.toBe(created.app_key)
    const gone = await json(AccountDelete, ['ann@example.com', '--yes', ...data])
    expect(gone).toEqual({ code: 0, stderr: '', value: { email: 'ann@example.com' } })
    expect((await json(AccountList, data)).value).toEqual([])
  })
})

describe('accounts of a data directory with a running relay', () => {
  const shared = startSharedRelay()
  const email = 'ann@example.com'

  it('are managed through the relay', async () => {
    const data = ['--data', shared().dataDir]
    const listed = await json(AccountList, data)
    expect(listed.value).toMatchObject([{ email }])
  })

  it('get a password from a pipe, which signs in and is not printed', async () => {
    const data = ['--data', shared().dataDir]
    const result = await json(AccountPassword, [email, ...data], { stdin: 'correct horse\n' })
    expect(result).toEqual({ code: 0, stderr: '', value: { email } })
    const argv = ['--login', email, '--url', shared().relay.url]
    const token = await json(TokenIssue, argv, { ...shared(), stdin: 'correct horse' })
    expect(token.value).toMatchObject({ token_type: 'Bearer' })
  })

  it('get a random password that is printed', async () => {
    const data = ['--data', shared().dataDir]
    const result = await json(AccountPassword, [email, '--random', ...data])
    expect(Object.keys(result.value)).toEqual(['email', 'password'])
  })

  it('get the password of SMSRELAY_PASSWORD when they are created', async () => {
    const data = ['--data', shared().dataDir]
    const env = { SMSRELAY_PASSWORD: 'from the environment' }
    const result = await json(AccountCreate, ['bob@example.com', ...data], { env })
    expect(result.value.password).toBe('from the environment')
  })

  it.each([
    ['show', AccountShow, []],
    ['set', AccountSet, ['--country', 'DE']],
    ['rotate', AccountRotate, ['--key', 'all']],
    ['password', AccountPassword, ['--random']],
    ['delete', AccountDelete, ['--yes']],
  ])('%s exits with 5 if the account does not exist', async (_, command, extra) => {
    const argv = ['nobody@example.com', ...extra, '--data', shared().dataDir]
    const result = await json(command, argv)
    expect(result.code).toBe(5)
    expect(result.value.error.code).toBe('not_an_account')
  })

  it.each([
    ['delete without --yes', AccountDelete, [email], '--yes'],
    ['set without a setting', AccountSet, [email], '--country'],
    ['rotate without --key', AccountRotate, [email], '--key'],
    ['password without a password', AccountPassword, [email], 'SMSRELAY_PASSWORD'],
    ['create without an address', AccountCreate, [], 'EMAIL'],
  ])('%s is a usage error that names %s', async (_, command, argv, named) => {
    const result = await json(command, [...argv, '--data', shared().dataDir])
    expect(result.code).toBe(2)
    const message = expect.stringContaining(named)
    expect(result.value.error).toMatchObject({ code: 'usage', message })
  })

  it('an error names the account in a field', async () => {
    const argv = ['nobody@example.com', '--data', shared().dataDir]
    expect(await json(AccountShow, argv)).toMatchObject({
      code: 5,
      value: { error: { code: 'not_an_account', email: 'nobody@example.com' } },
    })
  })

  it('print the keys of a new account as text', async () => {
    const result = await run(AccountCreate, ['cy@example.com', '--data', shared().dataDir])
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(result.stdout).toMatch(/^email +cy@example\.com\npassword +\S+\nsecret key +\S+\n/)
  })
})
