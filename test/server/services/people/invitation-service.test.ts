import { expect, test } from 'vitest'
import { InvitationService } from '../../../../src/server/services/people/invitation-service.js'
import { refusal, World } from '../world.js'

async function open() {
  const world = await World.open()
  const account = await world.account({ email: 'ann@example.com' })
  const invite = async (email: string) => {
    const draft = { email, role: 'reader', formatLink: (secret: string) => secret } as const
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

test.each(['a\0@example.com', 'ann\u200b@example.com', 'a\u202e@example.com', 'a b@example.com'])(
  'the address %j, which looks like another one, is refused',
  async email => {
    const { invite } = await open()
    expect(await refusal(invite(email))).toMatchObject({ code: 'invalid_parameter' })
  },
)
