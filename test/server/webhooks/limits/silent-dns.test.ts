import { expect, test } from 'vitest'
import { createMessage, subscribe } from '../../../conformance/acts.js'
import { type Caller, signInCaller } from '../../../conformance/calls.js'
import { openDnsServer } from '../../../net/dns/dns-answerer.js'
import { runRelay } from '../../running-relay.js'
import { openSink, type Sink } from '../sink.js'

const closing = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'
const event = 'message.create'

/** Milliseconds from each of some creations to its webhook, ascending. */
async function measure(api: Caller, sink: Sink): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < 50; count += 1) {
    const before = performance.now()
    const arrival = sink.arrived(sink.requests.length + 1)
    await createMessage(api)
    await arrival
    times.push(performance.now() - before)
  }
  return times.toSorted((a, b) => a - b)
}

test('names on a DNS server that never answers do not delay other accounts', async () => {
  const dns = await openDnsServer(({ name }) =>
    name.endsWith('silent.test') ? undefined : { addresses: ['127.0.0.1'], ttl: 0 },
  )
  const { relay, api } = await runRelay({ dnsServers: [dns.server] })
  const sink = await openSink(() => closing)
  await subscribe(api, { event, url: `http://hook.test:${sink.port}/`, post: true })
  const idle = await measure(api, sink)
  for (const email of ['bea@example.com', 'cy@example.com']) {
    const account = await relay.administration.createAccount({ email })
    const noisy = await signInCaller(relay.url, account.secret_key, account.api_key)
    for (let name = 0; name < 100; name += 1) {
      await subscribe(noisy, { event, url: `http://n${name}.${email.length}.silent.test/` })
    }
    await createMessage(noisy)
  }
  await dns.arrived(dns.queries.length + 1)
  const loaded = await measure(api, sink)
  const median = (times: number[]): number => times[times.length / 2] ?? Number.NaN
  expect(median(loaded)).toBeLessThan(median(idle) + 50)
  // Far below the 4 s of a look-up: no webhook waited for the DNS server.
  expect(loaded.at(-1)).toBeLessThan(2000)
  expect(relay.metrics()['webhook_backlog{state="in_flight"}']).toBeGreaterThan(64)
})
