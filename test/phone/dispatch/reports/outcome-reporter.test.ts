import { expect, it } from 'vitest'
import { RelayError } from '../../../../src/errors.js'
import { OutcomeReporter } from '../../../../src/phone/dispatch/outcome-reporter.js'
import type { PhoneEvent } from '../../../../src/phone/events/phone-events.js'
import { createMemoryJournal } from '../../../../src/phone/journal/journal.js'
import type { PhoneClient } from '../../../../src/phone/relay/phone-client.js'
import { type PhoneReport, RelaySteps } from '../../../../src/phone/relay/relay-steps.js'
import { FailureBackoff } from '../../../../src/util/async/failure-backoff.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { message, ScriptedClient } from '../../scripted-client.js'

/** Reports 1,000 outcomes to a relay that refuses some reports as a whole. */
async function reportAll(refuse: (ids: readonly string[]) => RelayError | undefined) {
  const clock = new FakeClock({ auto: true })
  const events: PhoneEvent[] = []
  const sizes: number[] = []
  const client = new ScriptedClient([])
  const report: PhoneClient['messages']['report'] = async given => {
    const outcomes = given as readonly PhoneReport[]
    sizes.push(outcomes.length)
    const error = refuse(outcomes.map(({ id }) => id))
    if (error !== undefined) throw error
    return outcomes.map(({ id }) => ({ id, status: 200, message: message(id) }))
  }
  const backoff = { clock, random: () => 1 }
  const never = new AbortController().signal
  const reporter = new OutcomeReporter(
    {
      ...{ ...backoff, force: never, stop: never, once: false },
      relay: new RelaySteps({ ...client, messages: { ...client.messages, report } }),
      relayBackoff: new FailureBackoff(backoff),
      journal: createMemoryJournal(),
      emit: event => void events.push(event),
    },
    () => {},
  )
  for (let id = 1; id <= 1000; id += 1) {
    const finished = { id: `${id}`, key: `k${id}`, outcome: { result: 'sent', parts: 1 } } as const
    reporter.add(finished, message(`${id}`))
  }
  await reporter.finish()
  const select = (name: PhoneEvent['event']) => events.filter(({ event }) => event === name)
  return { sizes, counts: reporter.counts, clock, select }
}

it('outcomes arrive in smaller reports when a proxy refuses long ones', async () => {
  const tooLarge = new RelayError('payload_too_large', 'Too large.')
  const { sizes, counts, clock, select } = await reportAll(({ length }) =>
    length > 300 ? tooLarge : undefined,
  )
  expect(sizes).toEqual([1000, 500, 250, 251, 252, 247])
  expect(counts).toMatchObject({ sent: 1000, unreported: 0 })
  expect(clock.slept).toEqual([])
  expect(select('offline')).toEqual([])
})

it.each(['invalid_request', 'invalid_parameter', 'payload_too_large'] as const)(
  'an outcome because of which reports are refused as %s is found, and the others arrive',
  async code => {
    const refused = new RelayError(code, 'No.')
    const { sizes, counts, select } = await reportAll(ids =>
      ids.includes('700') ? refused : undefined,
    )
    expect(select('refused')).toMatchObject([{ id: '700', code, error: 'No.' }])
    expect(counts).toMatchObject({ sent: 1000, unreported: 1 })
    expect(sizes.length).toBeLessThan(30)
  },
)
