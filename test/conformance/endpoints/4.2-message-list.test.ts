import { beforeAll, expect, test } from 'vitest'
import { block, createMessage, freshNumber, listedIds, listMessages, messageIn } from '../acts.js'
import { expectError, useCallers } from '../calls.js'

const at = useCallers()

const made: Record<string, string> = {}
const crowd: string[] = []

beforeAll(async () => {
  for (let n = 0; n < 101; n += 1) crowd.push((await createMessage(at.api)).id)
})

/** Creates one message of each letter once. */
async function oneOfEach(): Promise<Record<string, string>> {
  if (made.N !== undefined) return made
  for (const letter of 'ESFDLBN') made[letter] = await messageIn(at.api, letter)
  return made
}

async function lettersFound(filter: object): Promise<string> {
  const mine = await oneOfEach()
  const ids = await listedIds(at.api, { count: 100, ...filter })
  return Object.keys(mine)
    .filter(letter => ids.includes(mine[letter] ?? ''))
    .sort()
    .join('')
}

test.each([
  ['normal', 'EN'],
  ['all', 'BDEFLNS'],
  ['error', 'E'],
  ['sent', 'S'],
  ['new', 'N'],
  ['failed', 'F'],
  ['deleted', 'D'],
  ['locked', 'L'],
  ['blocked', 'B'],
])('4.2 the list filter %s finds the letters %s', async (filter, letters) => {
  expect(await lettersFound({ filter })).toBe(letters)
})

test.each([1, 2, 99, 100])('4.2 count %i lists that many messages', async count => {
  expect(await listedIds(at.api, { count })).toHaveLength(count)
})

test('4.2 filter members combine', async () => {
  const sent = [await messageIn(at.api, 'S'), await messageIn(at.api, 'S')]
  expect(await listedIds(at.api, { filter: 'sent', start: 1, count: 1 })).toEqual([sent[0]])
})

test('4.2 unknown members of the filter object are ignored', async () => {
  expect(await listedIds(at.api, { colour: 'red' })).toEqual(await listedIds(at.api))
})

test.each<[string, unknown]>([
  ['filter', 'sents'],
  ['filter', 'Normal'],
  ['filter', ''],
  ['filter', 'N'],
  ['filter', 1],
  ['filter', ['sent']],
  ['start', -1],
  ['start', 1.5],
  ['start', '0'],
  ['start', 'first'],
  ['start', []],
  ['count', 0],
  ['count', -1],
  ['count', 101],
  ['count', 2.5],
  ['count', '10'],
  ['count', {}],
  ['order', 'up'],
  ['order', 'DESC'],
  ['order', ''],
  ['order', true],
])('4.2 a list filter with %s %j is invalid_parameter', async (name, value) => {
  expectError(await listMessages(at.api, { [name]: value }), 400, 'invalid_parameter', name)
})

test.each(['{', 'sent', '[]', '5', '"sent"', 'null', '{"count":NaN}', '%7B', "{'count':5}"])(
  '4.2 the filter %s, not a JSON object, is invalid_parameter',
  async text => {
    const reply = await at.api.get(`/message?filter=${encodeURIComponent(text)}`)
    expectError(reply, 400, 'invalid_parameter', 'filter')
  },
)

test('4.2 the list filter blocked finds messages blocked later', async () => {
  const destination = freshNumber()
  const { id } = await createMessage(at.api, { destination })
  expect(await listedIds(at.api, { filter: 'blocked', count: 100 })).not.toContain(id)
  await block(at.api, destination)
  expect(await listedIds(at.api, { filter: 'blocked', count: 100 })).toContain(id)
})
