import { expect, it, onTestFinished, vi } from 'vitest'
import { saveOwnerProfile } from '../../../src/cli/profile/owner-profile.js'
import { readProfiles, saveProfile } from '../../../src/cli/profile/profile.js'
import { temporaryFolder } from '../../temporary-folder.js'

const keys = { email: 'a@example.com', secret_key: 's', api_key: 'a', app_key: 'p' }
const account = { ...keys, id: '1', password: 'x', created_on: '2026-01-01 00:00:00' } as never

it('the keys of each new relay are saved under a name that is free', async () => {
  vi.stubEnv('SMSRELAY_CONFIG_DIR', await temporaryFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  const names: string[] = []
  for (const url of ['http://a', 'http://b', 'http://c', 'http://a']) {
    names.push((await saveOwnerProfile(account, url)).name)
  }
  expect(names).toEqual(['default', 'local', 'local-2', 'local-3'])
  const { profiles } = await readProfiles()
  expect([...profiles.values()].map(({ url }) => url)).toEqual([
    ...['http://a', 'http://b', 'http://c', 'http://a'],
  ])
})

it('a requested name that is in use gets a number', async () => {
  vi.stubEnv('SMSRELAY_CONFIG_DIR', await temporaryFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  await saveProfile('work', { url: 'http://a', secret_key: 'old' })
  const saved = await saveOwnerProfile(account, 'http://b', 'work')
  expect(saved).toEqual({ name: 'work-2', isCurrent: false, current: 'default' })
  expect((await readProfiles()).profiles.get('work')).toMatchObject({ secret_key: 'old' })
})
