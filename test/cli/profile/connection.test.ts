import { describe, expect, it } from 'vitest'
import { resolveConnection } from '../../../src/cli/profile/connection.js'
import { saveProfile } from '../../../src/cli/profile/profile.js'
import { temporaryFolder } from '../../temporary-folder.js'

const saved = { url: 'http://saved', secret_key: 'ss', api_key: 'sa', app_key: 'sp' }

describe('resolveConnection', () => {
  it('uses the profile', async () => {
    expect(await resolveConnection({}, await savedEnv())).toEqual({
      url: 'http://saved',
      credentials: { user: 'ss', password: 'sa' },
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
      timeout: 2000,
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

async function savedEnv(): Promise<{ SMSRELAY_CONFIG_DIR: string }> {
  const dir = await temporaryFolder()
  await saveProfile('default', saved, dir)
  return { SMSRELAY_CONFIG_DIR: dir }
}
