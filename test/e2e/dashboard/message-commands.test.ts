// Runs the commands that the page of a message shows, as printed, in a shell.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../server/dashboard/browser.js'
import { makeShell, type Shell } from '../program.js'
import { type DashboardService, openClient, startDashboard } from './dashboard-service.js'

const destination = '+12025550123'

const texts = [
  'Your table is booked.',
  "It's \"quoted\" and 'quoted'",
  '$HOME `id` $(id) $PATH \\ \\n \\\\ %s %% !! !x *? ~ # & ; | < >',
  'first line\nsecond line\n\nlast line\n',
  '\n leading and trailing \n\n',
  '-n',
  '--help',
  '-',
  '--',
  'Grüße 👍🏽 – 你好 \u200d',
  'tab\tand\rreturn\r\n',
  'Ctrl-C \x03 and \x1b[201~ paste end, \x7f \u0085',
  'right to left \u202e override',
  '\ufeffbyte order mark',
  '\ufeff-\x03\n',
  ' ',
  'x'.repeat(1600),
]

let service: DashboardService
let shell: Shell

beforeAll(async () => {
  service = await startDashboard()
  const { secret_key, api_key } = service.owner
  const authorization = `Basic ${Buffer.from(`${secret_key}:${api_key}`).toString('base64')}`
  const reply = await fetch(`${service.url}/oauth`, { headers: { authorization } })
  const { access_token } = (await reply.json()) as { access_token: string }
  shell = await makeShell(service.home, { SMSRELAY_TOKEN: access_token })
})

afterAll(async () => await service.stop())

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** The text of an element, as a browser reads it. */
function readElement(html: string, id: string): string {
  const [, text = ''] = new RegExp(`<pre id="${id}"[^>]*>([^<]*)</pre>`).exec(html) ?? []
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/^\n/, '')
    .replace(/&#(\d+);|&(\w+);/g, (_, code: string | undefined, name: string) =>
      code === undefined ? (entities[name] ?? '') : String.fromCodePoint(Number(code)),
    )
}

describe.each(['curl', 'cli'])('the command %s', id => {
  test.each(['sh', 'bash'])('creates the same message again in %s', async name => {
    const client = openClient(service, service.owner)
    const browser = new Browser(service.url)
    await browser.signIn(service.owner.email, service.owner.password)
    for (const message of texts) {
      const first = await client.messages.create({ destination, message })
      const { text } = await browser.get(`/messages/${first.id}`)
      execFileSync(name, ['-c', readElement(text, id)], { ...shell, stdio: 'pipe' })
      const [latest] = await client.messages.list({ filter: 'all', order: 'desc', count: 1 })
      expect(latest?.id).not.toBe(first.id)
      // A command reads CR LF of a pipe as LF.
      const sent = id === 'cli' ? message.replaceAll('\r\n', '\n') : message
      expect(latest).toMatchObject({ destination, message: sent, source: 'api', status: 'N' })
    }
  })

  test('keeps a time to send in the future', async () => {
    const client = openClient(service, service.owner)
    const browser = new Browser(service.url)
    await browser.signIn(service.owner.email, service.owner.password)
    const send_on = '2099-01-01 10:00:00'
    const { id: first } = await client.messages.create({ destination, message: 'Later', send_on })
    const { text } = await browser.get(`/messages/${first}`)
    execFileSync('sh', ['-c', readElement(text, id)], { ...shell, stdio: 'pipe' })
    const [latest] = await client.messages.list({ filter: 'all', order: 'desc', count: 1 })
    expect(latest?.id).not.toBe(first)
    expect(latest).toMatchObject({ message: 'Later', send_on })
  })
})
