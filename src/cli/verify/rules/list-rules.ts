import {
  expectEqual,
  expectRejected,
  expectStatus,
  expectThat,
  readEnvelopes,
} from '../relay/expectations.js'
import type { RelayUnderTest } from '../relay/relay-under-test.js'
import type { Rule } from '../relay/rule.js'
import { RuleSkipped } from '../relay/rule-outcome.js'
import { createInState, createMessage, listIds, listMessages } from '../relay/steps.js'

const section = '4.2'
/** Messages that are read to find the last one in ascending order. */
const maxListed = 5000

/** The letters that a list filter finds. */
const filters: Readonly<Record<string, string>> = {
  normal: 'NE',
  all: 'NESF',
  error: 'E',
  sent: 'S',
  new: 'N',
  failed: 'F',
}

async function createSeveral(relay: RelayUnderTest, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await createMessage(relay.api)).id)
  return ids
}

async function expectFound(relay: RelayUnderTest, filter: string, letters: string) {
  const mine: string[] = []
  const wanted: string[] = []
  for (const letter of 'NESF') {
    const id = await createInState(relay, letter)
    mine.push(id)
    if (letters.includes(letter)) wanted.push(id)
  }
  const listed = await listIds(relay.api, { filter, count: 100 })
  const found = mine.filter(id => listed.includes(id))
  expectEqual(found, wanted, `of the messages ${mine.join(', ')} in N, E, S and F only`)
}

async function expectLetters(relay: RelayUnderTest, filter: string, letters: string) {
  const reply = expectStatus(await listMessages(relay.api, { filter, count: 100 }), 200)
  const found = readEnvelopes(reply, 'messages', 'message').map(({ fields }) => fields.status)
  const isRight = found.every(letter => letters.includes(String(letter)))
  expectThat(isRight, `only messages in ${letters}`, [...new Set(found)])
}

/** docs/reference/interface.md 4.2, the list */
export const listRules: readonly Rule[] = [
  ...Object.entries(filters).map(([filter, letters]) => ({
    section,
    title: `The list filter ${filter} finds messages in ${[...letters].join(', ')}.`,
    check: async (relay: RelayUnderTest) => {
      await expectFound(relay, filter, letters)
      if (filter !== 'all') await expectLetters(relay, filter, letters)
    },
  })),
  ...[
    ['deleted', 'D'],
    ['locked', 'L'],
    ['blocked', 'B'],
  ].map(([filter = '', letter = '']) => ({
    section,
    title: `The list filter ${filter} finds only messages in ${letter}.`,
    check: async (relay: RelayUnderTest) => {
      const id = await createInState(relay, letter === 'D' ? 'N' : letter)
      if (letter === 'D') expectStatus(await relay.api.delete(`/message/${id}`), 200)
      const listed = await listIds(relay.api, { filter, count: 100 })
      expectThat(listed.includes(id), `a list with message ${id}`, listed)
      await expectLetters(relay, filter, letter)
    },
  })),
  {
    section,
    title: 'The list filter is optional: the default is normal, last to first, from 0.',
    check: async relay => {
      await createSeveral(relay, 3)
      const spelled = { filter: 'normal', start: 0, count: 50, order: 'desc' }
      const full = await listIds(relay.api, spelled)
      expectEqual(await listIds(relay.api), full, 'without a filter the list')
      expectEqual(await listIds(relay.api, {}), full, 'with an empty filter the list')
    },
  },
  {
    section,
    title: 'count defaults to 50.',
    check: async relay => {
      await createSeveral(relay, 51)
      const { length } = await listIds(relay.api)
      expectEqual(length, 50, 'messages:')
    },
  },
  {
    section,
    title: 'count limits the number of messages.',
    check: async relay => {
      await createSeveral(relay, 4)
      for (const count of [1, 3]) {
        expectEqual((await listIds(relay.api, { count })).length, count, 'messages:')
      }
    },
  },
  {
    section,
    title: 'count is 1 to 100.',
    check: async relay => {
      expectStatus(await listMessages(relay.api, { count: 1 }), 200)
      expectStatus(await listMessages(relay.api, { count: 100 }), 200)
      for (const count of [0, -1, 101]) {
        expectRejected(await listMessages(relay.api, { count }))
      }
    },
  },
  {
    section,
    title: 'start is the zero-based offset of the first message.',
    check: async relay => {
      await createSeveral(relay, 5)
      const ids = await listIds(relay.api, { start: 0, count: 5 })
      expectEqual(await listIds(relay.api, { start: 2, count: 3 }), ids.slice(2), 'from 2 on')
    },
  },
  {
    section,
    title: 'start is a number and not negative.',
    check: async relay => {
      for (const start of [-1, 'first']) {
        expectRejected(await listMessages(relay.api, { start }))
      }
    },
  },
  {
    section,
    title: 'A start beyond the end gives an empty array.',
    check: async relay => {
      expectEqual(await listIds(relay.api, { start: 1_000_000_000 }), [], 'the list')
    },
  },
  {
    section,
    title: 'order desc lists the last message first.',
    check: async relay => {
      const ids = await createSeveral(relay, 3)
      const listed = await listIds(relay.api, { order: 'desc', count: 100 })
      const found = listed.filter(id => ids.includes(id))
      expectEqual(found, ids.toReversed(), 'the new messages in the order')
    },
  },
  {
    section,
    title: 'order asc lists the first message first.',
    check: async relay => {
      const ids = await createSeveral(relay, 3)
      const found: string[] = []
      for (let start = 0; ; start += 100) {
        if (start > maxListed) throw new RuleSkipped('the account has too many waiting messages')
        const page = await listIds(relay.api, { order: 'asc', start, count: 100 })
        found.push(...page.filter(id => ids.includes(id)))
        if (page.length < 100) break
      }
      expectEqual(found, ids, 'the new messages in the order')
    },
  },
  {
    section,
    title: 'start and count give pages without a gap or a repetition.',
    check: async relay => {
      await createSeveral(relay, 6)
      const filter = { filter: 'all', order: 'asc' }
      const whole = await listIds(relay.api, { ...filter, count: 6 })
      const pages: string[] = []
      for (const start of [0, 2, 4]) {
        pages.push(...(await listIds(relay.api, { ...filter, start, count: 2 })))
      }
      expectEqual(pages, whole, 'three pages with the messages')
    },
  },
  {
    section,
    title: 'With order asc and filter all, a new message does not change the list.',
    check: async relay => {
      await createSeveral(relay, 3)
      const filter = { filter: 'all', order: 'asc' }
      const { length: count } = await listIds(relay.api, { ...filter, count: 100 })
      const before = expectStatus(await listMessages(relay.api, { ...filter, count }), 200)
      await createMessage(relay.api)
      const after = expectStatus(await listMessages(relay.api, { ...filter, count }), 200)
      const [first, second] = [before, after].map(reply =>
        readEnvelopes(reply, 'messages', 'message').map(({ fields }) => fields),
      )
      expectEqual(second, first, 'the list')
    },
  },
  {
    section,
    title: 'A filter or order with another value is rejected.',
    check: async relay => {
      expectRejected(await listMessages(relay.api, { filter: 'sents' }))
      expectRejected(await listMessages(relay.api, { order: 'up' }))
    },
  },
]
