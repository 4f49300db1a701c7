import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '../../certificate.js'
import { createRelay } from '../../quick-relay.js'
import { defaultMail, dial, number, startMail } from './rig.js'

async function files() {
  const folder = await mkdtemp(join(tmpdir(), 'smsrelay-tls-'))
  onTestFinished(async () => await rm(folder, { recursive: true }))
  const smtpCert = join(folder, 'cert.pem')
  const smtpKey = join(folder, 'key.pem')
  await writeFile(smtpCert, selfSigned.cert)
  await writeFile(smtpKey, selfSigned.key)
  return { folder, smtpCert, smtpKey }
}

test('with a certificate mail can be sent encrypted or plain', async () => {
  const { smtpCert, smtpKey } = await files()
  const { port, address, texts, send } = await startMail({ settings: { smtpCert, smtpKey } })
  const to = await address()
  const secure = { host: 'localhost', port, requireTLS: true, tls: { ca: selfSigned.cert } }
  const transport = createTransport(secure)
  expect((await transport.sendMail({ ...defaultMail, to })).response).toMatch(/^250 /)
  transport.close()
  expect(await send({ to })).toMatch(/^250 /)
  expect(await texts()).toHaveLength(2)
})

test.each([
  ['STARTTLS', false],
  ['TLS from the beginning', true],
])('with %s a device logs in with the key of a mailbox', async (_, secure) => {
  const { smtpCert, smtpKey } = await files()
  const settings = { smtpCert, smtpKey, smtpTlsPort: 0, smtpLimits: { unknown: 1 } }
  const { relay, port, address, texts } = await startMail({ settings })
  const to = await address()
  const send = async (pass: string, authMethod: string) => {
    const transport = createTransport({
      ...{ host: 'localhost', port: secure ? Number(/\d+$/.exec(relay.smtpsUrl ?? '')) : port },
      ...{ secure, requireTLS: true, tls: { ca: selfSigned.cert }, authMethod },
      auth: { user: 'printer', pass },
    })
    onTestFinished(() => transport.close())
    return await transport.sendMail({ ...defaultMail, to }).then(
      ({ response }) => response,
      error => error.response,
    )
  }
  const [key = ''] = to.slice(number.length + 1).split('@')
  expect(await send(key, 'PLAIN')).toMatch(/^250 /)
  expect(await send(to.toUpperCase(), 'LOGIN')).toMatch(/^250 /)
  expect(await send('secret', 'LOGIN')).toMatch(/^535 5\.7\.8 .*key of a mailbox/)
  expect(await send('another', 'PLAIN')).toMatch(/^421 4\.7\.0 /)
  expect(await texts()).toHaveLength(2)
})

test('no key is asked for before TLS, and TLS needs a certificate', async () => {
  const { smtpCert, smtpKey } = await files()
  const { port } = await startMail({ settings: { smtpCert, smtpKey } })
  const { say, greeted } = await dial(port)
  expect(await greeted()).not.toContain('AUTH')
  expect(await say('AUTH PLAIN AGEAYg==')).toMatch(/^500 /)
  const { folder } = await files()
  const settings = { dataDir: join(folder, 'data'), port: 0, smtpTlsPort: 0 }
  await expect(createRelay(settings)).rejects.toMatchObject({ code: 'usage' })
})

test('commands from before TLS are discarded', async () => {
  const { smtpCert, smtpKey } = await files()
  const { port, texts } = await startMail({ settings: { smtpCert, smtpKey } })
  const { say, greeted, socket, closed } = await dial(port)
  expect(await greeted()).toContain('STARTTLS')
  expect(await say('STARTTLS\r\nMAIL FROM:<eve@example.net>')).toMatch(/^220 /)
  socket.end('this is no handshake\r\n')
  await closed
  expect(await texts()).toEqual([])
})

test('missing, invalid and incomplete files are a configuration error', async () => {
  const { folder, smtpCert, smtpKey } = await files()
  const base = { dataDir: join(folder, 'data'), port: 0, smtpPort: 0 }
  const started = async (more: { smtpCert?: string; smtpKey?: string }): Promise<void> => {
    const relay = await createRelay({ ...base, ...more })
    try {
      await relay.start()
    } finally {
      await relay.stop()
    }
  }
  await expect(started({ smtpCert })).rejects.toMatchObject({ code: 'usage' })
  const missing = { smtpCert, smtpKey: join(folder, 'nowhere') }
  await expect(started(missing)).rejects.toMatchObject({ code: 'configuration' })
  await expect(started({ smtpCert: smtpKey, smtpKey })).rejects.toThrow(/not a certificate/)
})
