import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:tls'
import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import type { Relay } from '../../src/server/open-relay.js'
import { renewed, selfSigned } from '../certificate.js'
import { writeCertificate } from '../certificate-files.js'
import { FakeClock } from '../util/async/fake-clock.js'
import { newDirectory, openRelay } from './admin/rig.js'

const ca = [selfSigned.cert, renewed.cert]

async function startRelay(settings: object = {}) {
  const { files, replace } = await writeCertificate()
  const clock = new FakeClock()
  const warnings: string[] = []
  const relay = await openRelay(
    await newDirectory(),
    { clock, warn: sentence => warnings.push(sentence) },
    { tlsCert: files.cert, tlsKey: files.key, ...settings },
  )
  await relay.start()
  return { files, replace, clock, warnings, relay }
}

async function signIn(relay: Relay): Promise<IncomingMessage> {
  const { email, password } = await relay.administration.createAccount({ email: 'a@example.com' })
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: relay.url }
  return await new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, ca, agent: false } as const
    const sent = request(`${relay.url}/login`, options, reply => {
      reply.resume().on('end', () => resolve(reply))
    })
    sent.on('error', reject)
    sent.end(String(new URLSearchParams({ email, password })))
  })
}

/** The certificate that a new connection gets. */
async function readServedCertificate(relay: Relay): Promise<string | undefined> {
  return await new Promise((resolve, reject) => {
    const { port, hostname: host } = new URL(relay.url)
    const socket = connect({ host, port: Number(port), ca }, () => {
      resolve(socket.getPeerX509Certificate()?.toString().trim())
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

test('the relay has an https address, strict transport security and secure cookies', async () => {
  const { relay } = await startRelay()
  expect(relay.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const page = await signIn(relay)
  expect(page.statusCode).toBe(303)
  expect(page.headers['strict-transport-security']).toMatch(/^max-age=31536000/)
  expect(String(page.headers['set-cookie'])).toContain('; Secure')
})

test('a new pair is in use a minute later, and an invalid one is reported once', async () => {
  const { relay, replace, clock, warnings } = await startRelay()
  const expiry = () => relay.metrics()['tls_certificate_expiry_timestamp_seconds{use="https"}']
  const before = expiry()
  await replace('cert', renewed.cert)
  await clock.pass(60_000)
  await expect.poll(() => warnings).toHaveLength(1)
  expect(warnings[0]).toMatch(/^The old TLS certificate stays in use: .*are not a certificate/)
  expect(await readServedCertificate(relay)).toBe(selfSigned.cert)
  await replace('key', renewed.key)
  await expect
    .poll(async () => {
      await clock.pass(60_000)
      return warnings
    })
    .toHaveLength(2)
  expect(warnings[1]).toBe(
    'A new TLS certificate is in use. It expires at 2126-10-30T09:06:10.000Z.',
  )
  expect(await readServedCertificate(relay)).toBe(renewed.cert)
  expect(expiry()).toBeGreaterThan(before ?? Number.NaN)
})

test('the mail server offers STARTTLS with the certificate of the relay', async () => {
  const { relay, replace, clock, warnings } = await startRelay({ smtpPort: 0 })
  const { port } = new URL(relay.smtpUrl ?? '')
  const verify = async (trusted: string): Promise<boolean> => {
    const tls = { ca: trusted, servername: 'localhost' }
    const mail = createTransport({ host: '127.0.0.1', port: Number(port), requireTLS: true, tls })
    return await mail.verify()
  }
  expect(await verify(selfSigned.cert)).toBe(true)
  await replace('cert', renewed.cert)
  await replace('key', renewed.key)
  await clock.pass(60_000)
  await expect.poll(() => warnings).toHaveLength(1)
  expect(await verify(renewed.cert)).toBe(true)
  await expect(verify(selfSigned.cert)).rejects.toThrow()
})

test.each([
  [{ tlsKey: undefined }, 'usage', /--tls-cert and --tls-key belong together/],
  [{ tlsCert: '/nowhere/cert.pem' }, 'configuration', /Cannot read \/nowhere\/cert\.pem/],
])('a relay does not open with %o', async (settings, code, message) => {
  const opened = startRelay(settings)
  await expect(opened).rejects.toMatchObject({ code })
  await expect(opened).rejects.toThrow(message)
})
