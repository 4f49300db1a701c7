import { expect, test } from 'vitest'
import type { Relay } from '../../../../src/index.js'
import { createMessage, subscribe } from '../../../conformance/acts.js'
import { type Caller, signInCaller } from '../../../conformance/calls.js'
import { openDnsServer } from '../../../net/dns/dns-answerer.js'
import { runRelay } from '../../running-relay.js'
import { openSink, type Sink } from '../sink.js'

const closing = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'
const event = 'message.create'

/** Of some webhooks, counts those during which a look-up timed out. */
async function countWithTimeouts(api: Caller, sink: Sink, relay: Relay): Promise<number> {
  const countTimeouts = () => relay.metrics()['dns_lookups_total{result="timeout"}'] ?? 0
  let found = 0
  for (let count = 0; count < 50; count += 1) {
    const before = countTimeouts()
    const arrival = sink.arrived(sink.requests.length + 1)
    await createMessage(api)
    await arrival
    if (countTimeouts() > before) found += 1
  }
  return found
}

test('names on a DNS server that never answers do not delay other accounts', async () => {
  const dns = await openDnsServer(({ name }) =>
    name.endsWith('silent.test') ? undefined : { addresses: ['127.0.0.1'], ttl: 0 },
  )
  const { relay, api } = await runRelay({ dnsServers: [dns.server] })
  const sink = await openSink(() => closing)
  await subscribe(api, { event, url: `http://hook.test:${sink.port}/`, post: true })
  for (const email of ['bea@example.com', 'cy@example.com']) {
    const account = await relay.administration.createAccount({ email })
    const noisy = await signInCaller(relay.url, account.secret_key, account.api_key)
    for (let name = 0; name < 100; name += 1) {
      await subscribe(noisy, { event, url: `http://n${name}.${email.length}.silent.test/` })
    }
    await createMessage(noisy)
  }
  await dns.arrived(dns.queries.length + 1)
  // A webhook that waits for the DNS server arrives after a look-up of 4 s.
  expect(await countWithTimeouts(api, sink, relay)).toBeLessThan(10)
  expect(relay.metrics()['webhook_backlog{state="in_flight"}']).toBeGreaterThan(64)
})
