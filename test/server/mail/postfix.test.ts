import { expect, test } from 'vitest'
import { canRunPostfix, startPostfix } from './postfix-rig.js'
import { createSender, defaultMail, number, startMail } from './rig.js'

const isRunnable = canRunPostfix('mail by way of Postfix')

async function start() {
  const mail = await startMail()
  const postfix = await startPostfix(mail.port)
  return { ...mail, postfix, ...createSender(postfix.port) }
}

test.skipIf(!isRunnable)('Postfix passes mail on, and its sender gets the reply', async () => {
  const { address, send, texts, postfix } = await start()
  expect(await send({ to: await address() })).toMatch(/^250 /)
  expect(await texts()).toEqual([{ to: number, text: defaultMail.text, source: 'email' }])
  expect(await postfix.listQueue()).toEqual([])
})

test.skipIf(!isRunnable)('Postfix refuses during the dialogue, so it never bounces', async () => {
  const { address, send, texts, postfix } = await start()
  const to = await address()
  const guarded = await address({ senders: ['@example.com'] })
  const refusals = {
    'an unknown mailbox': [{ to: `x${to}` }, /^550 5\.1\./],
    'another domain': [{ to: 'ann@example.net' }, /^[45]54 5\.7\.1/],
    'a sender that is not allowed': [{ to: guarded }, /^550 5\.7\.1/],
    'an automatic reply': [{ to, headers: { 'Auto-Submitted': 'auto-replied' } }, /^550 5\.7\.1/],
    'a bounce': [{ to, envelope: { from: '', to } }, /^550 5\.7\.1/],
    'a mailing list': [{ to, headers: { 'List-Id': '<list.example.org>' } }, /^550 5\.7\.1/],
    'a mail without text': [{ to, text: '' }, /^550 5\.6\.0/],
    'a mail of 2 MB': [{ to, text: 'x'.repeat(2_000_000) }, /^552 /],
  } as const
  for (const [what, [mail, reply]] of Object.entries(refusals)) {
    expect(await send(mail), what).toMatch(reply)
  }
  expect(await texts()).toEqual([])
  expect(await postfix.listQueue()).toEqual([])
})

test.skipIf(!isRunnable)('the sender tries again later while the relay is stopped', async () => {
  const { address, send, relay, postfix } = await start()
  const to = await address()
  await relay.stop()
  expect(await send({ to })).toMatch(/^4\d\d /)
  expect(await postfix.listQueue()).toEqual([])
})
