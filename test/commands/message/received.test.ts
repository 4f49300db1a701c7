import { expect, it } from 'vitest'
import MessageReceived from '../../../commands/message/received.js'
import { RelayClient } from '../../../src/client/relay-client.js'
import { run, startRelay } from '../harness.js'

async function open() {
  const fixture = await startRelay()
  const { relay, account } = fixture
  const credentials = { user: account.secret_key, password: account.app_key }
  const phone = new RelayClient({ url: relay.url, credentials })
  const show = (...argv: string[]) => run(MessageReceived, [...argv, ...fixture.flags], fixture)
  return { phone, show }
}

it('lists received texts, newest first', async () => {
  const { phone, show } = await open()
  expect(await show()).toMatchObject({ code: 0, stdout: '' })
  await phone.receivedTexts.report({ from: '+12025550143', message: 'two\nlines', phone: 'pixel' })
  await phone.receivedTexts.report({ from: '+12025550144', message: 'STOP' })
  const { stdout } = await show()
  const [head, ...rows] = stdout.trimEnd().split('\n')
  expect(head).toMatch(/^ID +RECEIVED \(UTC\) +FROM +WORD +TEXT$/)
  expect(rows.map(row => row.replace(/^\S+ +\S+ \S+ +/, ''))).toEqual([
    '+12025550144  stop  STOP',
    '+12025550143        two lines',
  ])
})

it('prints a page as JSON, and one text with all its fields', async () => {
  const { phone, show } = await open()
  const texts = ['one', 'two', 'three'].map(message => ({ from: 'ACME', message }))
  for (const text of texts) await phone.receivedTexts.report(text)
  const all = JSON.parse((await show('--json')).stdout) as { id: string; message: string }[]
  expect(all.map(({ message }) => message)).toEqual(['three', 'two', 'one'])
  const [first, second] = all
  const page = await show('--json', '--count', '1', '--before', first?.id ?? '')
  expect(JSON.parse(page.stdout)).toEqual([second])
  const one = await show(second?.id ?? '')
  expect(one.stdout).toMatch(/^id +\S+\nreceived +.* UTC\nfrom +ACME\ntext +two\n$/)
  expect(await show('none')).toMatchObject({ code: 5, stdout: '' })
  expect(await show('--count', '101')).toMatchObject({ code: 2 })
})
