import { expect, test } from 'vitest'
import {
  type ClusterFindings,
  type ClusterHistory,
  checkCluster,
} from '../../../../tools/chaos/cluster/check-cluster.js'

const ids = ['a', 'b', 'c']
const events = ['message.create', 'message.sent']

/** Three messages, created and sent one after the other. */
function createGoodHistory(): ClusterHistory {
  const recorded = ids.flatMap((id, at) =>
    events.map((event, step) => ({ sequence: 2 * at + step + 1, event, message: { id } })),
  )
  const arrive = (name: string) => {
    const own = recorded.filter(({ event }) => event === name)
    return own.map(({ sequence, message }, at) => {
      const previous = own[at - 1]?.sequence ?? 0
      return { id: `evt_${sequence}`, sequence, previous, message: message.id }
    })
  }
  return {
    accepted: ids.map((id, at) => ({ id, text: `text ${id}`, begun: at * 10, ended: at * 10 + 5 })),
    sends: ids.map(id => ({ phone: 'p', life: 'p', id, text: `text ${id}` })),
    listed: ids.map(id => ({ id, text: `text ${id}`, status: 'S', statusDate: '' })),
    recorded,
    arrivals: new Map(events.map(event => [event, arrive(event)])),
    followed: recorded.map(({ sequence }) => sequence),
  }
}

const kinds = ['lost', 'doubled', 'missing', 'disordered', 'unexplained'] as const

function countFindings(findings: ClusterFindings): Record<string, number> {
  const counts = kinds.map(kind => [kind, findings[kind].length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

const good = createGoodHistory()
const created = good.arrivals.get('message.create') ?? []
const [first, second, third] = created as [
  (typeof created)[0],
  (typeof created)[0],
  (typeof created)[0],
]

function withArrivals(arrivals: typeof created): Partial<ClusterHistory> {
  return { arrivals: new Map([...good.arrivals, ['message.create', arrivals]]) }
}

test('a history without faults has no findings', () => {
  const findings = checkCluster(good)
  expect(countFindings(findings)).toEqual({})
  expect(findings).toMatchObject({ accepted: 3, sent: 3, events: 6, repeated: 0 })
})

const cases: Record<string, [Partial<ClusterHistory>, Record<string, number>]> = {
  'a message that is not in the list': [{ listed: good.listed.slice(1) }, { lost: 1 }],
  'a message that no phone sent': [{ sends: good.sends.slice(1) }, { lost: 1 }],
  'a text that was sent twice': [
    { sends: [...good.sends, ...good.sends.slice(1, 2)] },
    { doubled: 1 },
  ],
  'a request that made two messages': [
    { listed: [...good.listed, ...good.listed.slice(0, 1).map(each => ({ ...each, id: 'd' }))] },
    { doubled: 1 },
  ],
  'an event that is not recorded, and leaves a gap': [
    { recorded: good.recorded.filter(({ sequence }) => sequence !== 4) },
    { missing: 3 },
  ],
  'an event that the stream never had': [
    { followed: good.followed.filter(sequence => sequence !== 3) },
    { missing: 1 },
  ],
  'a stream in another order': [{ followed: [1, 3, 2, 4, 5, 6] }, { disordered: 1 }],
  'a webhook that never arrived': [withArrivals([first, second]), { missing: 1 }],
  'a webhook before an earlier one': [withArrivals([second, first, third]), { disordered: 1 }],
  'a webhook that is repeated after a later one': [
    withArrivals([first, second, third, second]),
    { disordered: 1 },
  ],
  'a webhook that is repeated with another identifier': [
    withArrivals([first, { ...first, id: 'evt_other' }, second, third]),
    { unexplained: 1 },
  ],
  'events in another order than their requests': [
    {
      accepted: good.accepted.map(({ begun, ended, ...each }) => {
        return { ...each, begun: 30 - begun, ended: 35 - begun }
      }),
    },
    { disordered: 2 },
  ],
}

test.each(Object.entries(cases))('%s is found', (_, [changes, counts]) => {
  expect(countFindings(checkCluster({ ...good, ...changes }))).toEqual(counts)
})

test('a webhook that is repeated at once counts, and is no violation', () => {
  const findings = checkCluster({ ...good, ...withArrivals([first, first, second, third]) })
  expect(countFindings(findings)).toEqual({})
  expect(findings.repeated).toBe(1)
})
