import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  readSetup,
  readSetups,
  removeSetup,
  type Setup,
  saveSetup,
} from '../../../../src/cli/phone/setup/saved-setup.js'
import { applySetup, checkSetup, toSetup } from '../../../../src/cli/phone/setup/setup-flags.js'
import { formatSetup, maskSetup } from '../../../../src/cli/phone/setup/setup-view.js'
import { temporaryFolder } from '../../../temporary-folder.js'

const stick = { driver: ['modem'], option: ['device=/dev/ttyUSB2', 'pin=1234'], rate: ['30/min'] }

describe('saved setups', () => {
  it('are saved, replaced and removed in a file that only this user can read', async () => {
    const dir = join(await temporaryFolder(), 'new')
    expect(await saveSetup('stick', stick, dir)).toBe(false)
    expect(await saveSetup('other', { driver: ['simulate'] }, dir)).toBe(false)
    expect(await saveSetup('other', { driver: ['termux'] }, dir)).toBe(true)
    expect(await readSetups(dir)).toEqual({ stick, other: { driver: ['termux'] } })
    expect((await stat(join(dir, 'phones.json'))).mode & 0o777).toBe(0o600)
    expect(await removeSetup('stick', dir)).toBe(true)
    expect(await removeSetup('stick', dir)).toBe(false)
    await expect(readSetup('stick', dir)).rejects.toMatchObject({ code: 'usage', hint: /other/ })
  })

  it.each(['', '.x', 'a b', '__proto__', 'x'.repeat(65), 'a/b'])(
    'cannot have the name "%s"',
    async name => {
      const dir = await temporaryFolder()
      await expect(saveSetup(name, stick, dir)).rejects.toMatchObject({ code: 'usage' })
    },
  )

  it.each(['{', '[]', '{"setups":{"a":1}}', '{"setups":{"a":{"driver":"modem"}}}'])(
    'in the damaged file %s are an error, and the file stays unchanged',
    async text => {
      const dir = await temporaryFolder()
      const path = join(dir, 'phones.json')
      await writeFile(path, text)
      await expect(saveSetup('a', stick, dir)).rejects.toMatchObject({ code: 'damaged_data' })
      expect(await readFile(path, 'utf8')).toBe(text)
    },
  )

  it('make the file private if others could read it', async () => {
    const dir = await temporaryFolder()
    const path = join(dir, 'phones.json')
    await writeFile(path, '{}')
    await chmod(path, 0o644)
    await saveSetup('a', stick, dir)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })
})

describe('flags with --use', () => {
  const used = async (flags: object, raw: readonly string[] = []) => {
    const dir = await temporaryFolder()
    await saveSetup('stick', { ...stick, quiet: ['22:00-07:00'] }, dir)
    const typed = raw.map(flag => ({ type: 'flag' as const, flag }))
    const env = { SMSRELAY_CONFIG_DIR: dir }
    return toSetup(
      await applySetup({ flags: { use: 'stick', ...(flags as Setup) }, raw: typed }, env),
    )
  }

  it('override the setup, options by their key', async () => {
    const flags = { rate: ['5/min'], option: ['pin=9999', 'baud=9600'] }
    expect(await used(flags)).toEqual({
      ...stick,
      ...{ quiet: ['22:00-07:00'], rate: ['5/min'] },
      option: ['device=/dev/ttyUSB2', 'pin=9999', 'baud=9600'],
    })
  })

  it('with another --driver ignore the options of the setup', async () => {
    expect(await used({ driver: ['simulate'] }, ['driver'])).toEqual({
      ...{ driver: ['simulate'], rate: ['30/min'], quiet: ['22:00-07:00'] },
    })
  })

  it('do not replace the driver by that of the environment', async () => {
    expect(await used({ driver: 'simulate' })).toMatchObject({ driver: ['modem'] })
  })
})

describe('checkSetup', () => {
  it.each([
    [{}, /driver/],
    [{ driver: ['pigeon'] }, /pigeon/],
    [{ driver: ['modem'] }, /device/],
    [{ driver: ['simulate'], rate: ['30'] }, /--rate/],
    [{ driver: ['simulate'], quiet: ['night'] }, /night/],
    [{ driver: ['simulate'], concurrency: '0' }, /--concurrency/],
  ])('%j is a usage error that names %s', async (setup, message) => {
    await expect(checkSetup(setup, {})).rejects.toMatchObject({ code: 'usage', message })
  })
})

describe('a printed setup', () => {
  const word = fc.stringMatching(/^[a-z0-9]{12,20}$/)
  it('contains no secret', () => {
    fc.assert(
      fc.property(word, secret => {
        const option = [
          ...[`pin=${secret}`, `a.password=${secret}`, `header.Authorization=Bearer ${secret}`],
          ...[`url=https://me:${secret}@example.com/?key=${secret}`, `body={"key":"${secret}"}`],
        ]
        const shown = { setup: 'http', ...maskSetup({ driver: ['http'], option }) }
        expect(formatSetup(shown) + JSON.stringify(shown)).not.toContain(secret)
      }),
    )
  })

  it('contains options that are not secret', () => {
    const option = ['device=/dev/ttyUSB2', 'header.X-Key={env:KEY}', 'url=https://example.com/a']
    expect(maskSetup({ option })).toEqual({ option })
  })
})
