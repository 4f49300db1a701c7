import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import { makeHome, serve } from './program.js'

test('mail to a mailbox is sent as a text, and none of its content is logged', async () => {
  const home = await makeHome()
  const flags = ['--smtp-port', '0', '--smtp-domain', 'sms.example.com', '--sandbox']
  const relay = await serve(home, ...flags)
  const made = await home.run(['mailbox', 'create', '--subject', 'first', '--json'])
  const address = JSON.parse(made.stdout).address.replace('<number>', '+12025551212')
  const transport = createTransport({ url: relay.smtp ?? '', ignoreTLS: true })
  const mail = { from: 'bob@example.org', to: address, subject: 'Alarm', text: 'Very secret' }
  expect((await transport.sendMail(mail)).response).toMatch(/^250 /)
  await expect(transport.sendMail({ ...mail, to: `x${address}` })).rejects.toThrow(/5\.1\.3/)
  transport.close()
  const listed = await home.run(['message', 'list', '--filter', 'all', '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { source: 'email', destination: '+12025551212', message: 'Alarm\nVery secret' },
  ])
  expect(await relay.end('SIGINT')).toBe(0)
  const { stdout, stderr } = await relay.ended
  expect(stdout + stderr).not.toMatch(/Very secret|Alarm|5551212|bob@/)
  const data = join(home.dir, 'data')
  const files = (await readdir(data)).filter(name => name.endsWith('.ndjson'))
  const kept = await Promise.all(files.map(name => readFile(join(data, name), 'utf8')))
  expect(kept.join('')).toContain('Very secret')
  expect(kept.join('')).not.toContain(JSON.parse(made.stdout).key)
})
