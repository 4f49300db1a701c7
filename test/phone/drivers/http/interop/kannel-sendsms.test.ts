import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import type { DeliveryReceipt, IncomingText } from '../../../../../src/phone/driver-port/driver.js'
import { openWebhookServer } from '../../../../../src/phone/webhooks/webhook-server.js'
import { createClock } from '../../../../../src/util/async/clock.js'
import { findPorts } from '../../../../../tools/ports/free-ports.js'
import { startKannelBoxes } from '../../kannel-rig.js'
import { startProgram } from '../../smpp/interop/programs.js'
import { httpDriver, never } from '../provider.js'

const fakesmsc = '/usr/lib/kannel/test/fakesmsc'
const isInstalled = existsSync(fakesmsc) && spawnSync('smsbox', ['--help']).error === undefined
if (!isInstalled) console.warn('kannel and kannel-extras are not installed: the test is skipped.')
const secret = 'a-secret-in-a-path'

const fields = 'id=%I&from=%q&to=%Q&charset=%C&text=%b&time=%T'

it.skipIf(!isInstalled)(
  'texts go to Kannel; receipts and received texts come from it',
  async () => {
    const to = '+447700900001'
    const [sendsms = 0, smsc, webhooks = 0] = await findPorts(3)
    const options = {
      ...{ preset: 'kannel', url: `http://127.0.0.1:${sendsms}`, account: 'u', from: '13013' },
      'public-url': `http://127.0.0.1:${webhooks}`,
    }
    const driver = httpDriver(options, { KANNEL_PASSWORD: 'p', SMSRELAY_WEBHOOK_SECRET: secret })
    const receipts: DeliveryReceipt[] = []
    const texts: IncomingText[] = []
    driver.listen?.({
      onText: text => void texts.push(text),
      onReceipt: receipt => void receipts.push(receipt),
    })
    const address = { host: '127.0.0.1', port: webhooks }
    const server = await openWebhookServer(driver, { ...address, clock: createClock(), warn })
    onTestFinished(async () => {
      await server[Symbol.asyncDispose]()
      await driver[Symbol.asyncDispose]()
    })
    const getUrl = `http://127.0.0.1:${webhooks}/kannel/${secret}?${fields}`
    await startKannelBoxes({
      sendsmsPort: sendsms,
      smsc: ['smsc = fake', 'smsc-id = fake', `port = ${smsc}`, 'connect-allow-ip = "127.0.0.1"'],
      service: ['catch-all = true', `get-url = "${getUrl}"`],
    })
    // Kannel talks to one fake SMSC at a time.
    const incoming = ['text Moin moin', 'ucs2 %d8%3d%de%00%04%16']
    for (const [index, each] of incoming.entries()) {
      const phone = startProgram(fakesmsc, ['-r', `${smsc}`, '-m', '1', `${to} 13013 ${each}`])
      await expect.poll(() => texts).toHaveLength(index + 1)
      if (index < incoming.length - 1) await phone.stop()
    }

    const send = async (id: string, text: string) =>
      await driver.send({ id, destination: to, text }, never)
    expect(await send('one', 'Hello @ €')).toEqual({ networkIds: ['one'] })
    expect(await send('two', 'Привет 😀')).toEqual({ networkIds: ['two'] })
    await expect
      .poll(() => receipts.map(({ networkId, state, to: number }) => [networkId, state, number]))
      .toEqual(
        expect.arrayContaining([
          ['one', 'delivered', to.slice(1)],
          ['two', 'delivered', to.slice(1)],
        ]),
      )
    expect(texts.map(({ text }) => text)).toEqual(['Moin moin', '😀Ж'])
    expect(texts.map(text => text.to)).toEqual(['13013', '13013'])
    for (const { from, at } of texts) {
      expect({ from, isNow: Math.abs(at - Date.now()) < 600_000 }).toEqual({
        from: to,
        isNow: true,
      })
    }
    await expect(
      httpDriver({ ...options }, { KANNEL_PASSWORD: 'x', SMSRELAY_WEBHOOK_SECRET: secret }).send(
        { id: 'three', destination: to, text: 'Hi' },
        never,
      ),
    ).rejects.toMatchObject({ kind: 'trouble', message: expect.stringContaining('403') })
  },
  60_000,
)

function warn(sentence: string): void {
  throw new Error(sentence)
}
