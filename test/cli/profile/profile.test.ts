import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { getConfigDir, getDefaultDataDir } from '../../../src/cli/profile/directories.js'
import {
  readProfile,
  readProfiles,
  removeProfile,
  renameProfile,
  saveProfile,
  useProfile,
} from '../../../src/cli/profile/profile.js'
import { temporaryFolder } from '../../temporary-folder.js'

const profile = { url: 'http://127.0.0.1:8080', secret_key: 's', api_key: 'a' }

describe('profiles', () => {
  it('are missing before the first is saved', async () => {
    expect(await readProfile('default', await temporaryFolder())).toBeUndefined()
  })

  it('are saved, read and removed by name', async () => {
    const dir = await temporaryFolder()
    await saveProfile('default', { ...profile, app_key: undefined }, dir)
    await saveProfile('work', { ...profile, email: 'ann@example.com' }, dir)
    expect(await readProfile('default', dir)).toEqual(profile)
    expect(await readProfile('work', dir)).toEqual({ ...profile, email: 'ann@example.com' })
    expect(await removeProfile('work', dir)).toBe(true)
    expect(await removeProfile('work', dir)).toBe(false)
    expect(await readProfile('work', dir)).toBeUndefined()
    expect(await readProfile('default', dir)).toEqual(profile)
  })

  it('are renamed and chosen, and the chosen one can be removed', async () => {
    const dir = await temporaryFolder()
    await saveProfile('default', profile, dir)
    await saveProfile('work', profile, dir)
    await useProfile('work', dir)
    await renameProfile('work', 'home', dir)
    const renamed = await readProfiles(dir)
    expect([...renamed.profiles.keys()]).toEqual(['default', 'home'])
    expect(renamed.current).toBe('home')
    await removeProfile('home', dir)
    expect((await readProfiles(dir)).current).toBe('default')
  })

  it('are not renamed to a name in use, and must exist to be chosen', async () => {
    const dir = await temporaryFolder()
    await saveProfile('default', profile, dir)
    await saveProfile('work', { ...profile, url: 'http://work' }, dir)
    const inUse = { code: 'usage', message: 'There is a profile work already.' }
    await expect(renameProfile('default', 'work', dir)).rejects.toMatchObject(inUse)
    expect(await readProfile('work', dir)).toMatchObject({ url: 'http://work' })
    const unknown = { code: 'not_found', hint: expect.stringContaining('default, work') }
    await expect(useProfile('home', dir)).rejects.toMatchObject(unknown)
  })

  it('are in a file and a folder that only this user can read', async () => {
    const dir = join(await temporaryFolder(), 'new')
    await saveProfile('default', profile, dir)
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dir, 'config.json'))).mode & 0o777).toBe(0o600)
  })

  it('restrict the permissions of a file that others can read', async () => {
    const dir = await temporaryFolder()
    await writeFile(join(dir, 'config.json'), '{}', { mode: 0o644 })
    await chmod(join(dir, 'config.json'), 0o644)
    await saveProfile('default', profile, dir)
    expect((await stat(join(dir, 'config.json'))).mode & 0o777).toBe(0o600)
  })

  it.each(['{', '[]', '{"profiles":[]}', '{"profiles":{"default":{"url":1}}}', 'null'])(
    'of the damaged file %s are an error that names the file, which is not changed',
    async text => {
      const dir = await temporaryFolder()
      await writeFile(join(dir, 'config.json'), text)
      const damaged = { code: 'damaged_data', message: expect.stringContaining(dir) }
      await expect(readProfile('default', dir)).rejects.toMatchObject(damaged)
      await expect(saveProfile('default', profile, dir)).rejects.toMatchObject(damaged)
      expect(await readFile(join(dir, 'config.json'), 'utf8')).toBe(text)
    },
  )

  it('cannot be saved if the directory is a file', async () => {
    const dir = join(await temporaryFolder(), 'file')
    await writeFile(dir, '')
    await expect(saveProfile('default', profile, dir)).rejects.toMatchObject({
      hint: expect.any(String),
    })
  })

  it.each(['', '../x', 'a b', '__proto__', '-x'])('cannot be named %j', async name => {
    await expect(readProfile(name, await temporaryFolder())).rejects.toMatchObject({
      code: 'usage',
    })
  })

  it('named like a property of every object do not exist', async () => {
    expect(await readProfile('constructor', await temporaryFolder())).toBeUndefined()
  })
})

describe('directories', () => {
  it.each([
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/smsrelay'],
    ['linux', { SMSRELAY_DATA_DIR: './here', XDG_DATA_HOME: '/data' }, './here'],
    ['linux', { XDG_DATA_HOME: 'relative' }, expect.stringMatching(/\/\.local\/share\/smsrelay$/)],
    ['darwin', {}, expect.stringMatching(/\/Library\/Application Support\/smsrelay$/)],
    ['win32', { LOCALAPPDATA: 'C:' }, join('C:', 'smsrelay', 'Data')],
  ] as const)('of data on %s with %j', (platform, env, place) => {
    expect(getDefaultDataDir(env, platform)).toEqual(place)
  })

  it.each([
    ['linux', { XDG_CONFIG_HOME: '/config' }, '/config/smsrelay'],
    ['linux', { SMSRELAY_CONFIG_DIR: '/here' }, '/here'],
    ['darwin', {}, expect.stringMatching(/\/Library\/Preferences\/smsrelay$/)],
  ] as const)('of profiles on %s with %j', (platform, env, place) => {
    expect(getConfigDir(env, platform)).toEqual(place)
  })
})
