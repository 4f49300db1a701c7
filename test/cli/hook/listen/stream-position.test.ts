import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  getPositionDirectoryName,
  StreamPosition,
} from '../../../../src/cli/hook/listen/listen-to-stream.js'
import { temporaryFolder } from '../../../temporary-folder.js'

async function open(directory: string): Promise<StreamPosition> {
  const position = await StreamPosition.open(directory)
  onTestFinished(async () => await position.close().catch(() => {}))
  return position
}

describe('StreamPosition', () => {
  test('a second run finds the last finished event and the failed events', async () => {
    const directory = await temporaryFolder()
    const first = await StreamPosition.open(directory)
    expect([first.acknowledged, first.failed]).toEqual([undefined, []])
    first.start(4)
    first.acknowledge(5)
    first.markFailed(7)
    first.markFailed(6)
    first.acknowledge(8)
    await first.close()
    const second = await StreamPosition.open(directory)
    expect([second.acknowledged, second.failed]).toEqual([8, [6, 7]])
    second.start(7)
    second.removeFailed(6)
    await second.close()
    const third = await open(directory)
    expect([third.acknowledged, third.failed]).toEqual([7, [7]])
    third.acknowledge(7)
    expect(third.failed).toEqual([])
  })

  test('after flush, the last of many changes is in the file', async () => {
    const directory = await temporaryFolder()
    const position = await open(directory)
    for (let sequence = 1; sequence <= 50; sequence += 1) position.acknowledge(sequence)
    await position.flush()
    const { acknowledged } = JSON.parse(await readFile(join(directory, 'place.json'), 'utf8'))
    expect(acknowledged).toBe(50)
  })

  test('a failed write is an error in flush, assertWritten and close', async () => {
    const directory = await temporaryFolder()
    const position = await StreamPosition.open(directory)
    await mkdir(join(directory, 'place.json.tmp'))
    position.acknowledge(1)
    const error = { code: 'configuration', message: expect.stringContaining('place.json') }
    await expect(position.flush()).rejects.toMatchObject(error)
    expect(() => position.assertWritten()).toThrow(expect.objectContaining(error))
    await expect(position.close()).rejects.toMatchObject(error)
  })

  test.each(['', '{', 'null', '{"acknowledged":-1,"refused":[]}', '{"acknowledged":1}'])(
    'a file with %j is damaged, and a repaired one can be opened',
    async text => {
      const directory = await temporaryFolder()
      await writeFile(join(directory, 'place.json'), text)
      await expect(StreamPosition.open(directory)).rejects.toMatchObject({ code: 'damaged_data' })
      await writeFile(join(directory, 'place.json'), '{"acknowledged":3,"refused":[]}')
      expect((await open(directory)).acknowledged).toBe(3)
    },
  )

  test('relay, account, target and choice of events each get their own directory', () => {
    const key = { url: 'http://a', user: 'u', target: 'http://t', events: undefined }
    const others = [
      { ...key, url: 'http://b' },
      { ...key, user: 'v' },
      { ...key, target: 'http://t/x' },
      { ...key, events: ['message.sent'] },
      { ...key, events: ['message.sent', 'message.create'] },
    ]
    expect(new Set([key, ...others].map(getPositionDirectoryName)).size).toBe(6)
    const reordered = { ...key, events: ['message.create', 'message.sent'] }
    expect(getPositionDirectoryName(reordered)).toBe(getPositionDirectoryName(others[4] ?? key))
  })
})
