import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createAddressPolicy } from '../../../src/net/address-policy.js'
import { createGuardedAgents } from '../../../src/net/client/guarded-agent.js'
import { openSink } from '../../server/webhooks/sink.js'

const found = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
]

/** Like the system's lookup: for one address, it returns the first. */
const lookup: LookupFunction = (_, options, callback) => {
  if (options.all === true) callback(null, found)
  else callback(null, '::1', 6)
}

test.each([true, false])(
  'the first allowed address of a name is used, with autoSelectFamily %s',
  async autoSelectFamily => {
    const sink = await openSink()
    const policy = createAddressPolicy({ allow: ['127.0.0.1/32'] })
    const { plain } = createGuardedAgents({ autoSelectFamily } as object, policy)
    onTestFinished(() => plain.destroy())
    const request = get(`http://many.example:${sink.port}/`, { agent: plain, lookup })
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    reply.resume()
    expect(reply.statusCode).toBe(204)
    expect(reply.socket.remoteAddress).toBe('127.0.0.1')
  },
)
