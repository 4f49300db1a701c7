import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PDU, type Pdu, type Session } from 'smpp'
import { expect, it, onTestFinished } from 'vitest'
import { runPhone } from '../../../src/phone/run-phone.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { createSmppDriver, Smsc } from '../drivers/smpp/smsc.js'
import { openJournal } from '../journal/journal-rig.js'
import { createPhoneClient, setUp } from '../relay-rig.js'

/** Receives webhooks; `events` has the event and id of the message of each. */
async function receiveWebhooks() {
  const events: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      events.push(`${request.url} ${body}`)
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { events, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Starts a phone with a journal in a directory; returns how to stop it. */
async function startPhone(
  relay: Awaited<ReturnType<typeof setUp>>,
  smsc: Smsc,
  directory: string,
): Promise<() => Promise<void>> {
  const journal = await openJournal(directory)
  const driver = createSmppDriver(smsc, { reports: 'yes' })
  const credentials = { user: relay.account.secret_key, password: relay.account.app_key }
  const stop = new AbortController()
  const { attempts, received, receipts } = journal
  const done = runPhone({
    ...{ driver, journal: attempts, received, receipts, stop: stop.signal },
    client: await createPhoneClient(relay.url, credentials, journal),
  })
  return async () => {
    stop.abort()
    await done
    await driver[Symbol.asyncDispose]()
    await journal[Symbol.asyncDispose]()
  }
}

const receipt = (id: string, stat: string, esm_class = 4) => ({
  ...{ esm_class, source_addr: '12025550123', destination_addr: '4' },
  short_message: Buffer.from(`id:${id} sub:001 dlvrd:001 done date:2601010000 stat:${stat} err:9`),
})

it('a receipt of an SMSC causes message.delivered, also after a restart of the phone', async () => {
  const relay = await setUp()
  const { events, url } = await receiveWebhooks()
  for (const event of ['message.delivered', 'message.undelivered'] as const)
    await relay.client.subscriptions.create({ event, url: `${url}/${event}`, post: true })
  const smsc = await Smsc.start()
  const directory = await temporaryFolder()
  const finishFirst = await startPhone(relay, smsc, directory)
  const [good, bad] = [await relay.send('x'.repeat(200)), await relay.send('Hello')]
  await expect.poll(() => relay.status(bad.id)).toBe('S')
  await expect.poll(() => relay.status(good.id)).toBe('S')
  expect((await smsc.deliver(receipt('id1', 'DELIVRD'))).command_status).toBe(0)
  await finishFirst()
  const finishSecond = await startPhone(relay, smsc, directory)
  await expect.poll(() => smsc.sessions.size).toBe(1)
  for (const stat of ['ACCEPTD', 'DELIVRD', 'DELIVRD'])
    expect((await smsc.deliver(receipt('id2', stat))).command_status).toBe(0)
  await smsc.deliver(receipt('id3', 'UNDELIV'))
  await expect.poll(() => events).toHaveLength(2)
  await finishSecond()
  expect(events.toSorted()).toEqual([
    `/message.delivered {"message":{"id":"${good.id}"}}`,
    `/message.undelivered {"message":{"id":"${bad.id}"}}`,
  ])
  const read = async (id: string) => (await relay.client.messages.get(id)).delivery
  expect(await read(good.id)).toMatchObject({ state: 'delivered', parts: 2, delivered: 2 })
  expect(await read(bad.id)).toMatchObject({ state: 'undelivered', reason: 'UNDELIV, error 9' })
})

it('the receipt of another phone of the account stays at the SMSC for that phone', async () => {
  const relay = await setUp()
  const smsc = await Smsc.start()
  const sessions: Session[] = []
  smsc.otherwise = (submit, session) => {
    sessions.push(session)
    session.send(submit.response({ message_id: smsc.accept(submit) }))
  }
  const stops = [
    await startPhone(relay, smsc, await temporaryFolder()),
    await startPhone(relay, smsc, await temporaryFolder()),
  ]
  await expect.poll(() => smsc.sessions.size).toBe(2)
  const { id } = await relay.send('Hello')
  await expect.poll(() => relay.status(id)).toBe('S')
  const others = [...smsc.sessions].filter(each => each !== sessions[0])
  const fields = receipt('id1', 'DELIVRD')
  expect((await smsc.deliver(fields, 'deliver_sm', others)).command_status).toBe(0x64)
  expect((await smsc.deliver(fields, 'deliver_sm', sessions)).command_status).toBe(0)
  const read = async () => (await relay.client.messages.get(id)).delivery
  await expect.poll(read).toMatchObject({ state: 'delivered' })
  await Promise.all(stops.map(async stop => await stop()))
})

it('a receipt without its mark is one, before the response and a second time', async () => {
  const relay = await setUp()
  const smsc = await Smsc.start()
  const stop = await startPhone(relay, smsc, await temporaryFolder())
  const answers: Promise<Pdu>[] = []
  smsc.otherwise = (submit, session) => {
    const message_id = smsc.accept(submit)
    answers.push(smsc.deliver(receipt(message_id, 'DELIVRD', 0)))
    // The phone has read the receipt when it answers.
    session.once('enquire_link_resp', () => session.send(submit.response({ message_id })))
    session.send(new PDU('enquire_link'))
  }
  const { id } = await relay.send('Hello')
  const read = async () => (await relay.client.messages.get(id)).delivery
  await expect.poll(read).toMatchObject({ state: 'delivered' })
  expect((await answers[0])?.command_status).toBe(0)
  const again = receipt('id1', 'DELIVRD', 0)
  await smsc.deliver(again)
  // An id is nothing without the number.
  await smsc.deliver({ ...again, source_addr: '12025550199' })
  const readSenders = async () => (await relay.client.receivedTexts.list()).map(each => each.from)
  await expect.poll(readSenders).toEqual(['12025550199'])
  await stop()
})
