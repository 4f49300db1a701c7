import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveConnection } from '../../../src/cli/profile/connection.js'
import { saveProfile } from '../../../src/cli/profile/profile.js'

const saved = { url: 'http://saved', secret_key: 'ss', api_key: 'sa', app_key: 'sp' }

describe('resolveConnection', () => {
  it('uses the profile', async () => {
    expect(await resolveConnection({}, await savedEnv())).toEqual({
      url: 'http://saved',
      credentials: { user: 'ss', password: 'sa' },
    })
  })

  it('uses the application key where that is asked for', async () => {
    const { credentials } = await resolveConnection({}, await savedEnv(), ['app'])
    expect(credentials).toEqual({ user: 'ss', password: 'sp' })
  })

  it('lets flags go first, one by one', async () => {
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

  it('pairs it with the saved key when it is the saved secret key', async () => {
    const { credentials } = await resolveConnection({ 'secret-key': 'ss' }, await savedEnv())
    expect(credentials).toEqual({ user: 'ss', password: 'sa' })
  })

  it.each([
    ['no profile', {}, 'smsrelay login`'],
    ['no profile of that name', { profile: 'work' }, 'smsrelay login --profile work`'],
    ['an address alone', { url: 'http://a' }, 'smsrelay login`'],
  ])('sends to login with %s', async (_, flags, words) => {
    const env = { SMSRELAY_CONFIG_DIR: await folder() }
    await expect(resolveConnection(flags, env)).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining(words),
    })
  })
})

async function savedEnv(): Promise<{ SMSRELAY_CONFIG_DIR: string }> {
  const dir = await folder()
  await saveProfile('default', saved, dir)
  return { SMSRELAY_CONFIG_DIR: dir }
}

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'smsrelay-connection-'))
  onTestFinished(async () => await rm(dir, { recursive: true }))
  return dir
}
