import MessageSend from '../../../commands/message/send.js'
import { RelayClient } from '../../../src/client/relay-client.js'
import { type RelayFixture, run } from '../harness.js'

export async function send(fixture: RelayFixture, ...argv: string[]) {
  const result = await run(MessageSend, [...argv, ...fixture.flags, '--json'], fixture)
  return JSON.parse(result.stdout)
}

/** Fetches the next message as a phone, and calls `act` with it. */
export async function settle(
  { relay, account }: RelayFixture,
  act: (phone: RelayClient, id: string) => Promise<unknown>,
): Promise<void> {
  const credentials = { user: account.secret_key, password: account.app_key }
  const phone = new RelayClient({ url: relay.url, credentials })
  const message = await phone.messages.next({ wait: 10 })
  if (message === undefined) throw new Error('There was nothing to send.')
  await act(phone, message.id)
}
