import { expect, it } from 'vitest'
import type { AttemptOutcome } from '../../../src/phone/driver-port/attempt-outcome.js'
import { createMemoryJournal, type Journal } from '../../../src/phone/journal/journal.js'
import { message } from '../scripted-client.js'

const sent = { result: 'sent', parts: 1 } as const

it('the last sent messages are remembered', async () => {
  const journal = createMemoryJournal(2)
  for (const id of ['a', 'b', 'c']) await send(journal, id, sent)
  expect(await journal.begin(message('a'), 'new')).toBeUndefined()
  expect(await journal.begin(message('b'), 'new')).toEqual({ id: 'b', key: 'key-b', outcome: sent })
  expect(await journal.begin(message('c'), 'new')).toEqual({ id: 'c', key: 'key-c', outcome: sent })
})

it.each([{ destination: '+12025550199' }, { message: 'Another text' }])(
  'a message that was edited to %j is not remembered',
  async fields => {
    const journal = createMemoryJournal()
    await send(journal, 'a', sent)
    expect(await journal.begin(message('a', fields), 'new')).toBeUndefined()
  },
)

it.each(['failed', 'unknown'] as const)('a reported outcome %s is forgotten', async result => {
  const journal = createMemoryJournal()
  const outcome = { result, error: 'no signal' }
  await journal.begin(message('a'), 'key-a')
  await journal.record({ id: 'a', key: 'key-a' }, outcome)
  expect(await journal.begin(message('a'), 'new')).toEqual({ id: 'a', key: 'key-a', outcome })
  await journal.settle({ id: 'a', key: 'key-a' })
  expect(await journal.begin(message('a'), 'new')).toBeUndefined()
})

async function send(journal: Journal, id: string, outcome: AttemptOutcome): Promise<void> {
  const attempt = { id, key: `key-${id}` }
  await journal.begin(message(id), attempt.key)
  await journal.record(attempt, outcome)
  await journal.settle(attempt)
}
