import { lookup as systemLookup } from 'node:dns'
import { Agent, type AgentOptions } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressKind, AddressPolicy } from '../address-policy.js'

/** A connection that was not made, because of the address it would have gone to. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefused'
  readonly kind: AddressKind

  constructor(host: string, kind: AddressKind) {
    super(`${host} is at a ${kind} address, which is not called`)
    this.kind = kind
  }
}

/** Agents for http and https. */
export interface GuardedAgents {
  readonly plain: Agent
  readonly secure: SecureAgent
}

/**
 * Agents whose every new connection goes to an address of the policy: what names resolve to is checked in the
 * look-up that the connection itself uses, and addresses that stand for themselves, which need no look-up, before.
 */
export function createGuardedAgents(
  settings: AgentOptions,
  policy: AddressPolicy,
  lookup: LookupFunction = systemLookup as LookupFunction,
): GuardedAgents {
  const guarded = { ...settings, lookup: createGuardedLookup(policy, lookup) }
  return {
    plain: guardAgent(new Agent(guarded), policy),
    secure: guardAgent(new SecureAgent(guarded), policy),
  }
}

function guardAgent<A extends Agent>(agent: A, policy: AddressPolicy): A {
  const connect = agent.createConnection
  agent.createConnection = (options, callback) => {
    const host = options.host ?? ''
    const kind = isIP(host) === 0 ? undefined : policy.findRefusal(host)
    if (kind === undefined) return connect.call(agent, options, callback)
    callback?.(new AddressRefusedError(host, kind), undefined as never)
    return undefined
  }
  return agent
}

/** A look-up that gives only addresses of the policy; all are looked at, whichever is asked for. */
function createGuardedLookup(policy: AddressPolicy, lookup: LookupFunction): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found, family) => {
      if (error !== null) {
        callback(error, [])
        return
      }
      const all = Array.isArray(found) ? found : [{ address: found, family: family ?? isIP(found) }]
      const allowed = all.filter(({ address }) => policy.findRefusal(address) === undefined)
      const [first] = allowed
      if (first === undefined)
        callback(addressRefusedError(host, all[0]?.address ?? '', policy), [])
      else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

function addressRefusedError(
  host: string,
  address: string,
  policy: AddressPolicy,
): AddressRefusedError {
  return new AddressRefusedError(host, policy.findRefusal(address) ?? 'reserved')
}
