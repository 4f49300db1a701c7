import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import PhoneSetup from '../../../commands/phone/setup.js'
import PhoneTest from '../../../commands/phone/test.js'
import { startDecider } from '../../phone/drivers/http/provider.js'
import { listen } from '../../phone/drivers/smpp/smpp-line.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { run } from '../harness.js'

const to = '+4915112345678'
const simulate = ['--driver', 'simulate']

describe('phone test', () => {
  it('sends one text through the driver, after a note about it', async () => {
    const outbox = join(await temporaryFolder(), 'sent')
    const ran = await run(PhoneTest, [to, ...simulate, '--option', `outbox=${outbox}`, '--yes'])
    expect(ran.code).toBe(0)
    expect(ran.stderr).toMatch(/"This is a test.*1 part.*\+49.*simulate/)
    const sent = (await readFile(outbox, 'utf8')).trimEnd().split('\n')
    expect(sent.map(line => JSON.parse(line))).toMatchObject([{ destination: to }])
  })

  it('shows the parts and the delivery receipts', async () => {
    const text = ['--text', 'Hello', '--option', 'report-rate=1', '--wait', '10m']
    const ran = await run(PhoneTest, [to, ...simulate, ...text, '--yes', '--json'])
    const parsed = JSON.parse(ran.stdout)
    const delivered = { result: 'sent', parts: 1, reports: ['delivered'] }
    expect(parsed).toMatchObject({ destination: to, ...delivered })
  })

  it('shows the receipts that a provider sends to --listen', async () => {
    const { port, close } = await listen(createServer())
    await close()
    const provider = await startDecider(request => {
      const [, address = ''] = /dlr-url=([^&\s]+)/.exec(request) ?? []
      const receipt = decodeURIComponent(address).replace('%d', '1').replace('%A', 'ok')
      setImmediate(() => void fetch(receipt))
      return { status: 202, body: '0: Accepted for delivery' }
    })
    const account = ['--option', 'account=me', '--option', `url=${provider.url}`]
    const driver = ['--driver', 'http', '--option', 'preset=kannel', ...account]
    const address = ['--option', `public-url=http://127.0.0.1:${port}`, '--listen', `${port}`]
    const env = { KANNEL_PASSWORD: 'pass', SMSRELAY_WEBHOOK_SECRET: 'a-secret-of-the-webhook' }
    const argv = [to, ...driver, ...address, '--text', 'x'.repeat(200), '--yes']
    const { code, stdout, stderr } = await run(PhoneTest, argv, { env })
    expect(stderr).toContain(`Webhooks are served at http://127.0.0.1:${port}/kannel.`)
    expect([code, stdout]).toEqual([0, 'Delivered.\n'])
  })

  it('leaves the address of a setup to the phone that runs', async () => {
    const { port } = await listen(createServer())
    const provider = await startDecider(() => ({ status: 202, body: '0: Accepted' }))
    const account = ['--option', 'account=me', '--option', `url=${provider.url}`]
    const driver = ['--driver', 'http', '--option', 'preset=kannel', ...account]
    const env = {
      ...{ KANNEL_PASSWORD: 'pass', SMSRELAY_WEBHOOK_SECRET: 'a-secret-of-the-webhook' },
      SMSRELAY_CONFIG_DIR: await temporaryFolder(),
    }
    await run(PhoneSetup, ['web', ...driver, '--listen', `${port}`], { env })
    const ran = await run(PhoneTest, [to, '--use', 'web', '--yes'], { env })
    expect([ran.code, ran.stdout]).toEqual([0, 'Sent, without a delivery receipt.\n'])
  })

  it('shows the delivery status that it asks a provider for', async () => {
    const provider = await startDecider(request =>
      request.startsWith('POST')
        ? { status: 200, body: '{"id":"p-1"}' }
        : { status: 200, body: '{"id":"p-1","state":"done"}' },
    )
    const options = {
      ...{ url: provider.url, type: 'json', body: '{"to":"{destination}"}', id: 'id' },
      ...{ reports: 'poll', 'status-url': `${provider.url}/{providerid}` },
      ...{ status: 'state', delivered: 'done' },
    }
    const typed = Object.entries(options).flatMap(each => ['--option', each.join('=')])
    const argv = [to, '--driver', 'http', ...typed, '--text', 'Hello', '--yes', '--json']
    const { code, stdout } = await run(PhoneTest, argv)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ result: 'sent', reports: ['delivered'] })
  })

  it('ends with 124 without a receipt within --wait', async () => {
    const ran = await run(PhoneTest, [to, ...simulate, '--wait', '10ms', '--yes', '--json'])
    expect(ran.code).toBe(124)
    expect(JSON.parse(ran.stdout)).toMatchObject({ result: 'sent', reports: [] })
  })

  it.each([
    ['failure-rate', 'retry', /^Not sent/],
    ['trouble-rate', 'trouble', /^Not sent/],
    ['unknown-rate', 'unknown', /unknown/],
  ])('ends with 3 after %s with the result %s', async (option, result, pattern) => {
    const argv = [to, ...simulate, '--option', `${option}=1`, '--yes']
    const json = await run(PhoneTest, [...argv, '--json'])
    expect(json.code).toBe(3)
    expect(JSON.parse(json.stdout)).toMatchObject({ result })
    expect((await run(PhoneTest, argv)).stdout).toMatch(pattern)
  })

  it.each([
    ['without --yes and without a terminal', [to, ...simulate]],
    ['to a test number', ['+12025551212', ...simulate, '--yes']],
    ['to an invalid number', ['somebody', ...simulate, '--yes']],
    ['without a text', [to, ...simulate, '--text', '', '--yes']],
    ['without a driver', [to, '--yes']],
    ['with a driver that lacks an option', [to, '--driver', 'modem', '--yes']],
  ])('%s is a usage error, and nothing is sent', async (_, argv) => {
    const outbox = join(await temporaryFolder(), 'sent')
    const option = argv.includes('simulate') ? ['--option', `outbox=${outbox}`] : []
    expect((await run(PhoneTest, [...argv, ...option, '--json'])).code).toBe(2)
    await expect(readFile(outbox)).rejects.toThrow('ENOENT')
  })
})
