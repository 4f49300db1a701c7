import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import type { DeliveryReceipt } from '../../../../src/phone/driver-port/driver.js'
import { createSmppDriver } from './smsc.js'

const never = new AbortController().signal
const hasNetSmpp = spawnSync('perl', ['-MNet::SMPP', '-e', '1']).status === 0
if (!hasNetSmpp) console.log('Net::SMPP (libnet-smpp-perl) is not installed: its test is skipped.')

/** Starts a program that prints `port N`; collects its later lines. */
async function startSmsc(program: string, args: readonly string[]) {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const lines: string[] = []
  if (child.stdout === null) throw new Error('The SMSC has no output.')
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`The SMSC ended with ${code}.`)))
    createInterface(child.stdout as NonNullable<typeof child.stdout>).on('line', line => {
      if (line.startsWith('port ')) resolve(Number(line.slice(5)))
      else lines.push(line)
    })
  })
  return { port, lines }
}

it.skipIf(!hasNetSmpp)('texts reach an SMSC of Net::SMPP, and its receipts arrive', async () => {
  const path = fileURLToPath(new URL('net-smpp-smsc.pl', import.meta.url))
  const { port, lines } = await startSmsc('perl', [path])
  const driver = createSmppDriver({ port }, { timeout: '10', reports: 'yes' })
  const receipts: DeliveryReceipt[] = []
  driver.listen?.({ onText: () => {}, onReceipt: each => void receipts.push(each) })
  const send = (n: number, text: string) =>
    driver.send({ id: `${n}`, destination: `+120255501${n}`, text }, never)
  expect(
    await Promise.all([send(10, 'Hi @ €'), send(11, 'a'.repeat(161)), send(12, '你😀')]),
  ).toEqual([{ parts: 1 }, { parts: 2 }, { parts: 1 }])
  await expect.poll(() => receipts).toHaveLength(4)
  expect(receipts).toContainEqual({ to: '+12025550110', state: 'delivered' })
  expect(await driver.health?.()).toMatchObject({ ok: true })
  await driver[Symbol.asyncDispose]()
  expect(lines).toContain('bind bind_transceiver relay sesame 52')
  expect(lines).toContain('submit 12025550110 0 0 48692000201b65')
  expect(lines).toContain('submit 12025550112 0 8 4f60d83dde00')
  expect(lines.filter(each => /^submit 12025550111 64 0 050003/.test(each))).toHaveLength(2)
  expect(lines.filter(each => each === 'deliver_sm_resp 0')).toHaveLength(4)
})
