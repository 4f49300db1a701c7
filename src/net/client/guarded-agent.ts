import { lookup as systemLookup } from 'node:dns'
import { Agent, type AgentOptions } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressKind, AddressPolicy } from '../address-policy.js'

export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError'
  readonly kind: AddressKind

  constructor(host: string, kind: AddressKind) {
    super(`${host} has a ${kind} address, which is not allowed`)
    this.kind = kind
  }
}

export interface GuardedAgents {
  readonly plain: Agent
  readonly secure: SecureAgent
}

/**
 * Creates HTTP agents that connect only to addresses that the policy allows. The addresses of a
 * name are checked in the lookup of the connection itself, which is that of the request, or else
 * the system's; an address that needs no lookup is checked first.
 */
export function createGuardedAgents(settings: AgentOptions, policy: AddressPolicy): GuardedAgents {
  return {
    plain: guardAgent(new Agent(settings), policy),
    secure: guardAgent(new SecureAgent(settings), policy),
  }
}

function guardAgent<A extends Agent>(agent: A, policy: AddressPolicy): A {
  const connect = agent.createConnection
  agent.createConnection = (options, callback) => {
    const host = options.host ?? ''
    const kind = isIP(host) === 0 ? undefined : policy.findRefusal(host)
    if (kind === undefined) {
      const { lookup = systemLookup as LookupFunction } = options as { lookup?: LookupFunction }
      const guarded = { ...options, lookup: createGuardedLookup(policy, lookup) }
      return connect.call(agent, guarded, callback)
    }
    callback?.(new AddressRefusedError(host, kind), undefined as never)
    return undefined
  }
  return agent
}

/** Resolves all IP addresses of a host, even if only one is requested; returns the allowed ones. */
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
      if (first === undefined) {
        const kind = policy.findRefusal(all[0]?.address ?? '') ?? 'reserved'
        callback(new AddressRefusedError(host, kind), [])
      } else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}
