import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { JsonFile, type JsonFileOptions } from '../../../src/util/files/json-file.js'
import { temporaryFolder } from '../../temporary-folder.js'

interface Position {
  readonly at: number
}

async function createFile(options: Partial<JsonFileOptions<Position>> = {}) {
  const folder = await temporaryFolder()
  return new JsonFile<Position>(join(folder, 'new', 'position.json'), {
    content: 'The position',
    isValid: (value): value is Position => typeof (value as Position)?.at === 'number',
    damagedHint: 'Remove the file.',
    writeHint: 'Choose another directory.',
    ...options,
  })
}

test('a missing file has no value', async () => {
  expect(await (await createFile()).read()).toBeUndefined()
})

test.each([false, true])('a written value is read again, checksum: %s', async checksum => {
  const file = await createFile({ checksum })
  await file.write({ at: 1 })
  await file.write({ at: 2 })
  expect(await file.read()).toEqual({ at: 2 })
  expect((await stat(file.path)).mode & 0o777).toBe(0o600)
})

test.each([
  ['not JSON', false, '{"at":'],
  ['the wrong shape', false, '{"at":"2"}'],
  ['no checksum', true, '{"at":2}\n'],
  ['a wrong checksum', true, '00000000 {"at":2}\n'],
])('a file with %s is damaged', async (_, checksum, content) => {
  const file = await createFile({ checksum })
  await file.write({ at: 1 })
  await writeFile(file.path, content)
  const error = { code: 'damaged_data', hint: 'Remove the file.' }
  await expect(file.read()).rejects.toMatchObject(error)
  await expect(file.read()).rejects.toThrow(file.path)
})

test('a directory in place of the file is named when it is read and written', async () => {
  const file = await createFile()
  await file.write({ at: 1 })
  const directory = new JsonFile<Position>(join(file.path, '..'), {
    content: 'The position',
    isValid: (value): value is Position => value !== undefined,
    damagedHint: 'Remove the file.',
    writeHint: 'Choose another directory.',
  })
  await expect(directory.read()).rejects.toMatchObject({ code: 'damaged_data' })
  await expect(directory.write({ at: 2 })).rejects.toMatchObject({
    code: 'configuration',
    hint: 'Choose another directory.',
  })
  await expect(directory.write({ at: 2 })).rejects.toThrow(directory.path)
})

test('a file that another function writes is read again', async () => {
  const file = await createFile({
    write: async value => await writeFile(file.path, JSON.stringify(value, null, 2)),
  })
  await file.write({ at: 3 })
  expect(await file.read()).toEqual({ at: 3 })
})
