import { expect, test } from 'vitest'
import { createMessage, read } from '../acts.js'
import { useCallers } from '../calls.js'

const at = useCallers()

test('2.2 id is a UUID of version 7, different for each message', async () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  expect(first.id).toMatch(uuid)
  expect(second.id).toMatch(uuid)
  expect(first.id).not.toBe(second.id)
})

test.each([
  '+12125551212',
  '(646) 234-5678',
  '+1 646 234 5678',
  '+44 20 7946 0958',
  '5551212',
  '72345',
])('2.2 the destination %s is stored as given', async destination => {
  const { id } = await createMessage(at.api, { destination })
  expect((await read(at.api, id)).destination).toBe(destination)
})
