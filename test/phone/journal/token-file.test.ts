import { mkdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.js'
import { credentials, openJournal } from './journal-rig.js'

it('a token is stored and valid for the same keys', async () => {
  const directory = await temporaryFolder()
  const journal = await openJournal(directory)
  await journal.saveToken('one')
  await journal.saveToken('another')
  await journal[Symbol.asyncDispose]()
  const again = await openJournal(directory)
  expect(await again.readToken()).toBe('another')
  await again[Symbol.asyncDispose]()
  const changed = { credentials: { ...credentials, password: 'new key' } }
  expect(await (await openJournal(directory, changed)).readToken()).toBeUndefined()
})

it('a damaged token counts as missing', async () => {
  const directory = await temporaryFolder()
  const journal = await openJournal(directory)
  await journal.saveToken('zero')
  await truncate(join(directory, 'token'), 20)
  expect(await journal.readToken()).toBeUndefined()
})

it('a token that cannot be written causes a warning', async () => {
  const directory = await temporaryFolder()
  const journal = await openJournal(directory)
  await mkdir(join(directory, 'token.tmp'))
  await journal.saveToken('zero')
  expect(journal.warnings).toEqual([expect.stringContaining(join(directory, 'token'))])
})
