import { describe, expect, it } from 'vitest'
import { explainConnectionError, resolveConnection } from '../../../src/cli/profile/connection.js'
import { saveProfile, useProfile } from '../../../src/cli/profile/profile.js'
import { RelayError } from '../../../src/errors.js'
import { temporaryFolder } from '../../temporary-folder.js'

const saved = { url: 'http://saved', secret_key: 'ss', api_key: 'sa', app_key: 'sp' }

describe('resolveConnection', () => {
  it('uses the profile', async () => {
    expect(await resolveConnection({}, await savedEnv())).toEqual({
      url: 'http://saved',
      credentials: { user: 'ss', password: 'sa' },
      kind: 'api',
      origin: {
        url: 'the profile default',
        keys: 'The secret key and the API key come from the profile default',
        profile: 'default',
      },
    })
  })

  it('uses the application key on request', async () => {
    const { credentials } = await resolveConnection({}, await savedEnv(), ['app'])
    expect(credentials).toEqual({ user: 'ss', password: 'sp' })
  })

  it('prefers each flag to the profile', async () => {
    const flags = { url: 'http://flag/', 'api-key': 'fa', timeout: '2s' }
    expect(await resolveConnection(flags, await savedEnv())).toEqual({
      url: 'http://flag',
      credentials: { user: 'ss', password: 'fa' },
      kind: 'api',
      timeout: 2000,
      origin: {
        url: '--url',
        keys: 'The secret key comes from the profile default, the API key from --api-key',
      },
    })
  })

  it('never pairs a secret key with another account’s saved key', async () => {
    const connection = resolveConnection({ 'secret-key': 'fs' }, await savedEnv())
    await expect(connection).rejects.toMatchObject({ code: 'usage' })
    const phone = { 'secret-key': 'fs', 'app-key': 'fp' }
    const { credentials } = await resolveConnection(phone, await savedEnv())
    expect(credentials).toEqual({ user: 'fs', password: 'fp' })
  })

  it('pairs the saved secret key with the saved key', async () => {
    const { credentials } = await resolveConnection({ 'secret-key': 'ss' }, await savedEnv())
    expect(credentials).toEqual({ user: 'ss', password: 'sa' })
  })

  it('uses the profile that `profile use` chose', async () => {
    const env = await savedEnv()
    await saveProfile('work', { ...saved, url: 'http://work' }, env.SMSRELAY_CONFIG_DIR)
    await useProfile('work', env.SMSRELAY_CONFIG_DIR)
    expect(await resolveConnection({}, env)).toMatchObject({ url: 'http://work' })
    const other = await resolveConnection({ profile: 'default' }, env)
    expect(other).toMatchObject({ url: 'http://saved' })
  })

  it('uses a token instead of keys, and names where it comes from', async () => {
    const env = { ...(await savedEnv()), SMSRELAY_TOKEN: 't' }
    expect(await resolveConnection({ token: 't' }, env)).toEqual({
      url: 'http://saved',
      credentials: { token: 't' },
      origin: { url: 'the profile default', keys: 'The token comes from SMSRELAY_TOKEN' },
    })
  })

  it.each([
    ['no profile', {}, 'smsrelay login`'],
    ['no profile of that name', { profile: 'work' }, 'smsrelay login --profile work`'],
    ['an address alone', { url: 'http://a' }, 'smsrelay login`'],
  ])('suggests login with %s', async (_, flags, words) => {
    const env = { SMSRELAY_CONFIG_DIR: await temporaryFolder() }
    await expect(resolveConnection(flags, env)).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining(words),
    })
  })
})

describe('explainConnectionError', () => {
  it.each([
    [
      {},
      'come from the profile default. Check them. Run `smsrelay login --profile default` to save ' +
        'other keys.',
    ],
    [
      { 'api-key': 'x' },
      'the API key from --api-key. Check them. Run `smsrelay login` to save other keys.',
    ],
  ])('says where wrong keys of %j are from, and the next command', async (flags, end) => {
    const connection = await resolveConnection(flags, await savedEnv())
    const error = new RelayError('invalid_client', 'Wrong.', { hint: 'Check them.' })
    const { hint } = explainConnectionError(error, connection) as RelayError
    expect(hint?.slice(-end.length)).toBe(end)
  })
})

async function savedEnv(): Promise<{ SMSRELAY_CONFIG_DIR: string }> {
  const dir = await temporaryFolder()
  await saveProfile('default', saved, dir)
  return { SMSRELAY_CONFIG_DIR: dir }
}
