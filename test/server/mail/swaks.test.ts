import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isInstalled } from '../../installed.js'
import { number, startMail } from './rig.js'

const installed = isInstalled('swaks', 'mail sent by swaks')

async function swaks(port: number, ...more: readonly string[]): Promise<string> {
  const common = ['--server', '127.0.0.1', '--port', String(port), '--from', 'bob@example.org']
  const run = promisify(execFile)('swaks', [...common, ...more])
  const { stdout } = await run.catch((failed: { stdout: string }) => failed)
  return stdout
}

test.skipIf(!installed)('swaks sends a mail, and reports a rejection', async () => {
  const { port, address, texts } = await startMail()
  const to = (await address()).replace('+', '')
  const body = 'The disk is full.\n-- \nBob'
  const sent = await swaks(port, '--to', to, '--body', body, '--header', 'Subject: x')
  expect(sent).toMatch(/^<- {2}250 OK/m)
  expect(await swaks(port, '--to', `x${to}`)).toMatch(/^<\*\* 550 5\.1\.3 /m)
  expect(await texts()).toEqual([
    { to: number, text: 'The disk is full.\n--\nBob', source: 'email' },
  ])
})
