import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  getPositionDirectoryName,
  StreamPosition,
} from '../../../../src/cli/hook/listen/stream-position.js'
import { temporaryFolder } from '../../../temporary-folder.js'

async function open(directory: string): Promise<StreamPosition> {
  const place = await StreamPosition.open(directory)
  onTestFinished(async () => await place.close().catch(() => {}))
  return place
}

describe('the place of a listener', () => {
  test('is kept: the last acknowledged event, and those that were refused', async () => {
    const directory = await temporaryFolder()
    const first = await StreamPosition.open(directory)
    expect([first.acknowledged, first.refused]).toEqual([undefined, []])
    first.start(4)
    first.acknowledge(5)
    first.markFailed(7)
    first.markFailed(6)
    first.acknowledge(8)
    await first.close()
    const second = await StreamPosition.open(directory)
    expect([second.acknowledged, second.refused]).toEqual([8, [6, 7]])
    second.start(7)
    second.removeFailed(6)
    await second.close()
    const third = await open(directory)
    expect([third.acknowledged, third.refused]).toEqual([7, [7]])
    third.acknowledge(7)
    expect(third.refused).toEqual([])
  })

  test('is on the disk when it is said to be saved, while others wait', async () => {
    const directory = await temporaryFolder()
    const place = await open(directory)
    for (let sequence = 1; sequence <= 50; sequence += 1) place.acknowledge(sequence)
    await place.flush()
    const { acknowledged } = JSON.parse(await readFile(join(directory, 'place.json'), 'utf8'))
    expect(acknowledged).toBe(50)
  })

  test('that cannot be written is told of', async () => {
    const directory = await temporaryFolder()
    const place = await StreamPosition.open(directory)
    await mkdir(join(directory, 'place.json.tmp'))
    place.acknowledge(1)
    await expect(place.flush()).rejects.toMatchObject({ code: 'configuration' })
    expect(() => place.assertWritten()).toThrow('cannot be written')
    await expect(place.close()).rejects.toMatchObject({ code: 'configuration' })
  })

  test.each(['', '{', 'null', '{"acknowledged":-1,"refused":[]}', '{"acknowledged":1}'])(
    'that reads %j is damaged, and can be opened once that is gone',
    async text => {
      const directory = await temporaryFolder()
      await writeFile(join(directory, 'place.json'), text)
      await expect(StreamPosition.open(directory)).rejects.toMatchObject({ code: 'damaged_data' })
      await writeFile(join(directory, 'place.json'), '{"acknowledged":3,"refused":[]}')
      expect((await open(directory)).acknowledged).toBe(3)
    },
  )

  test('is another one for another relay, account, target or choice of events', () => {
    const owner = { url: 'http://a', user: 'u', target: 'http://t', events: undefined }
    const others = [
      { ...owner, url: 'http://b' },
      { ...owner, user: 'v' },
      { ...owner, target: 'http://t/x' },
      { ...owner, events: ['message.sent'] },
      { ...owner, events: ['message.sent', 'message.create'] },
    ]
    expect(new Set([owner, ...others].map(getPositionDirectoryName)).size).toBe(6)
    const turned = { ...owner, events: ['message.create', 'message.sent'] }
    expect(getPositionDirectoryName(turned)).toBe(getPositionDirectoryName(others[4] ?? owner))
  })
})
