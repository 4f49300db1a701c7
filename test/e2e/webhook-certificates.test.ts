import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '../certificate.js'
import { projectRoot } from '../source-tree.js'
import { makeHome, serve } from './program.js'

const folder = join(projectRoot, 'test/fixtures/tls')
const read = async (name: string) => await readFile(join(folder, name), 'utf8')

async function startReceiver(certificate: { key: string; cert: string }): Promise<string> {
  const server = createServer(certificate, (request, response) => {
    request.resume()
    response.end()
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `https://localhost:${(server.address() as AddressInfo).port}/hook`
}

test('a relay trusts NODE_EXTRA_CA_CERTS and says what else is wrong', async () => {
  const home = await makeHome()
  home.env.NODE_EXTRA_CA_CERTS = join(folder, 'authority.pem')
  await serve(home)
  const sendTest = async (certificate: { key: string; cert: string }) => {
    const url = await startReceiver(certificate)
    const hook = await home.run(['hook', 'create', 'message.create', url, '--json'])
    const { id } = JSON.parse(hook.stdout)
    return JSON.parse((await home.run(['hook', 'test', id, '--json'])).stdout)
  }
  const load = async (name: string) => ({
    key: await read(`${name}.key`),
    cert: await read(`${name}.pem`),
  })
  expect(await sendTest(await load('server'))).toMatchObject({ ok: true, status: 200 })
  expect(await sendTest(selfSigned)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/self-signed certificate\..* NODE_EXTRA_CA_CERTS=FILE/),
  })
  expect(await sendTest(await load('other-host'))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/altnames.*Name the host in the URL as in the certificate/),
  })
  expect(await sendTest(await load('expired'))).toMatchObject({
    ok: false,
    error: expect.stringMatching(/certificate has expired\. Renew the certificate/),
  })
})
