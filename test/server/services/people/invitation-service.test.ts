import { expect, test } from 'vitest'
import { InvitationService } from '../../../../src/server/services/people/invitation-service.js'
import { refusal, World } from '../world.js'

const formatLink = (secret: string): string => secret

async function open() {
  const world = await World.open()
  const account = await world.account({ email: 'ann@example.com' })
  const invite = async (email: string) => {
    const draft = { email, role: 'reader', by: 'ann@example.com', formatLink } as const
    return (await new InvitationService(world.context).create(account, draft)).link
  }
  return { world, invite }
}

test('a link that does not work costs no hash of a password', async () => {
  const { world, invite } = await open()
  // With these parameters the hash itself is an error.
  const context = { ...world.context, passwordCost: { N: 3, r: 8, p: 1 } }
  const accept = async (secret: string) =>
    await refusal(new InvitationService(context).accept(secret, 'correct horse battery'))
  expect(await accept('sri_unknown')).toMatchObject({ code: 'not_found' })
  const link = await invite('bob@example.com')
  await world.advance(7 * 24 * 60 * 60_000)
  expect(await accept(link)).toMatchObject({ code: 'not_found' })
})

test('an invitation still works after its address was taken for some time', async () => {
  const { world, invite } = await open()
  const link = await invite('bob@example.com')
  const other = await world.account({ email: 'Bob@example.com' })
  const service = new InvitationService(world.context)
  const accept = async () => await service.accept(link, 'correct horse battery')
  expect(await refusal(accept())).toMatchObject({ code: 'invalid_parameter' })
  await world.context.store.accounts.remove(other.id)
  expect(await accept()).toMatchObject({ email: 'bob@example.com', role: 'reader' })
})

test('a day has 50 invitations of an account, and 5 to an address', async () => {
  const { world, invite } = await open()
  for (let n = 0; n < 5; n += 1) await invite('bob@example.com')
  const tooMany = { code: 'too_many_requests' }
  expect(await refusal(invite('BOB@example.com'))).toMatchObject(tooMany)
  for (let n = 5; n < 50; n += 1) await invite(`p${n}@example.com`)
  expect(await refusal(invite('eve@example.com'))).toMatchObject(tooMany)
  await world.advance(24 * 60 * 60_000)
  expect(await invite('bob@example.com')).toMatch(/^sri_/)
})

test('an invitation does not tell whether its address signs in to another account', async () => {
  const { world, invite } = await open()
  await world.account({ email: 'bob@example.com' })
  expect(await invite('bob@example.com')).toMatch(/^sri_/)
  expect(await refusal(invite('Ann@example.com'))).toMatchObject({ code: 'invalid_parameter' })
})

test.each([
  ...['x,victim@example.com', 'a<b@example.com', '"a b"@example.com', 'a(b)@example.com'],
  ...['a@b@example.com', '.a@example.com', 'a..b@example.com', 'a@-b.example', 'a@b,c'],
  ...['a;b@example.com', 'a@[127.0.0.1]', 'a\\b@example.com', 'a@b>c', 'a:b@c'],
])('the address %j, in which mail programs read another, is refused', async email => {
  const { invite } = await open()
  expect(await refusal(invite(email))).toMatchObject({ code: 'invalid_parameter' })
})

test.each(['a\0@example.com', 'ann\u200b@example.com', 'a\u202e@example.com', 'a b@example.com'])(
  'the address %j, which looks like another one, is refused',
  async email => {
    const { invite } = await open()
    expect(await refusal(invite(email))).toMatchObject({ code: 'invalid_parameter' })
  },
)
