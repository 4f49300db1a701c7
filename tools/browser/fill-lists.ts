import type { RelayClient } from '../../src/client/relay-client.js'

/** More than a page of any list has. */
const many = 60

/**
 * Fills every list of an account with texts of the usual length: due messages, failed attempts, a
 * message that the phone has, received texts, and resources that an account has several of.
 * @param phone a client of a phone with this name, with the application key
 */
export async function fillLists(
  client: RelayClient,
  phone: RelayClient,
  name: string,
): Promise<void> {
  const url = 'http://127.0.0.1:9/received'
  const { id: subscription } = await client.subscriptions.create({ event: 'message.failed', url })
  await client.subscriptions.rotateSecret(subscription)
  const numbers = Array.from({ length: many }, (_, n) => `+1202555${String(n).padStart(4, '0')}`)
  const drafts = numbers.map(destination => ({ destination, message: createText(destination) }))
  const created = await client.messages.createBatch(drafts)
  await phone.status.reportPresence()
  const claimed = await phone.messages.nextBatch({ batch: created.length, since: 0 })
  const error = 'The number is not in service'
  await phone.messages.report((claimed?.messages ?? []).map(({ id }) => ({ id, error })))
  await phone.messages.next()
  const contacts = numbers.map(number => ({ number, name: `Resident ${number}`, groups: ['All'] }))
  await client.contacts.import(contacts)
  await client.templates.create({ name: 'Appointment', text: createText('{name}') })
  for (const number of numbers) {
    await phone.receivedTexts.report({ from: number, message: createText(number), phone: name })
    await client.secretUrls.create({ name: `Door ${number}`, message: createText(number) })
    await client.mailboxes.create({ name: `Mailbox ${number}` })
    await client.doNotText.add(number.replace('+1202', '+1303'), { note: 'A landline' })
  }
  await client.subscriptions.test(subscription)
}

function createText(number: string): string {
  return (
    `Your appointment ${crypto.randomUUID()} is tomorrow at 09:15. Call ${number} if you cannot ` +
    'come, or reply STOP to get no more texts.'
  )
}
