import { expect, it } from 'vitest'
import { memoryJournal } from '../../src/phone/journal.js'
import { message } from './scripted-client.js'

const sent = { result: 'sent', parts: 1 } as const

it('the last messages that were sent are remembered', async () => {
  const journal = memoryJournal(2)
  for (const id of ['a', 'b', 'c']) await journal.record(message(id), sent)
  expect(await journal.recall(message('a'))).toBeUndefined()
  expect(await journal.recall(message('b'))).toEqual(sent)
  expect(await journal.recall(message('c'))).toEqual(sent)
})

it.each([{ destination: '+12025550199' }, { message: 'Another text' }])(
  'a message that became another by %j is not remembered',
  async fields => {
    const journal = memoryJournal()
    await journal.record(message('a'), sent)
    expect(await journal.recall(message('a', fields))).toBeUndefined()
  },
)

it.each(['failed', 'unknown'] as const)('an outcome %s is not remembered', async result => {
  const journal = memoryJournal()
  await journal.record(message('a'), { result, error: 'no signal' })
  expect(await journal.recall(message('a'))).toBeUndefined()
})
