import { EventEmitter, once } from 'node:events'
import type { Relay } from '../../src/server/open-relay.js'
import { openLowdbStore } from '../../src/server/store/lowdb/lowdb-store.js'
import type { MessageStore } from '../../src/server/store/message-store.js'
import type { Store } from '../../src/server/store/store.js'
import { signInCaller } from '../conformance/calls.js'
import { newDirectory, openRelay } from './admin/rig.js'

export const draft = { destination: '+12025550143', message: 'hello' }

export async function runRelay(settings: object = {}, overrides: object = {}) {
  const dataDir = await newDirectory()
  const relay = await openRelay(dataDir, overrides, settings)
  await relay.start()
  const account = await relay.administration.createAccount({ email: 'ann@example.com' })
  const signIn = async (on: Relay, key: string) =>
    await signInCaller(on.url, account.secret_key, key)
  const api = await signIn(relay, account.api_key)
  const phone = await signIn(relay, account.app_key)
  return { dataDir, relay, account, api, phone, signIn }
}

/** Starts a relay where a NEXT waits. */
export async function runWaiting() {
  const claims = new EventEmitter()
  const openStore = async (directory: string): Promise<Store> => {
    const store = await openLowdbStore(directory)
    const claim: MessageStore['claim'] = async (...parameters) => {
      const message = await store.messages.claim(...parameters)
      setImmediate(() => claims.emit('claim'))
      return message
    }
    const messages = new Proxy(store.messages, {
      get: (all, name) => (name === 'claim' ? claim : Reflect.get(all, name).bind(all)),
    })
    return { ...store, messages }
  }
  const running = await runRelay({}, { openStore })
  const claimed = once(claims, 'claim')
  const reply = running.phone.next({ headers: { prefer: 'wait=25' } })
  await claimed
  return { ...running, reply }
}
