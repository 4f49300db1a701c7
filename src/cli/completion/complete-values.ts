import type { RelayClient } from '../../client/relay-client.js'
import { toOneLine, truncate } from '../terminal/terminal-text.js'
import type { ValueSource } from './complete-line.js'

export interface ValueAccess {
  listProfiles(): Promise<readonly string[]>
  listSetups(): Promise<
    Readonly<Record<string, { readonly driver?: readonly string[] | undefined }>>
  >
  openClient(): Promise<RelayClient>
  readonly signal: AbortSignal
}

interface Value {
  readonly name: string
  readonly description: string
}

/**
 * Lists what completion offers, a line each: the value, a tab and its description. Values that a
 * shell would have to quote are left out.
 */
export async function listValues(source: ValueSource, access: ValueAccess): Promise<string[]> {
  const values = await readValues(source, access)
  return values
    .filter(({ name }) => /^[\w.@+][\w.@:+-]*$/.test(name))
    .map(({ name, description }) => `${name}\t${truncate(toOneLine(description), 60)}`)
}

async function readValues(source: ValueSource, access: ValueAccess): Promise<Value[]> {
  if (source === 'profiles') {
    const names = await access.listProfiles()
    return names.map(name => ({ name, description: 'profile' }))
  }
  if (source === 'setups') {
    const setups = Object.entries(await access.listSetups())
    return setups.map(([name, { driver }]) => ({ name, description: driver?.join(', ') ?? '' }))
  }
  const { signal } = access
  const client = await access.openClient()
  if (source === 'messages') {
    const messages = await client.messages.list({ filter: 'all', count: 50 }, { signal })
    return messages.map(({ id, status, destination, message }) => ({
      name: id,
      description: `${status} ${destination} ${message}`,
    }))
  }
  const subscriptions = await client.subscriptions.list({ signal })
  return subscriptions.map(({ id, event }) => ({ name: id, description: event }))
}
