import { expect, test } from 'vitest'
import { openSealedText, sealText } from '../../../src/util/crypto/sealed-text.js'

const key = { secret: 'a secret', use: 'test' }

test.each(['', 'Grüße 😀', '0123456789'.repeat(400_000)])('a sealed text opens', async text => {
  const sealed = await sealText(text, key)
  expect(sealed.length).toBeLessThan(text.length + 100)
  expect(await openSealedText(sealed, key)).toBe(text)
})

test('a text is sealed differently each time', async () => {
  expect(await sealText('text', key)).not.toBe(await sealText('text', key))
})

test('a sealed text does not open with another key, for another use or changed', async () => {
  const sealed = await sealText('text', key)
  expect(await openSealedText(sealed, { ...key, secret: 'another secret' })).toBeUndefined()
  expect(await openSealedText(sealed, { ...key, use: 'another use' })).toBeUndefined()
  const bytes = Buffer.from(sealed, 'base64')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(await openSealedText(changed.toString('base64'), key)).toBeUndefined()
  }
  for (const short of ['', 'x', bytes.subarray(0, 27).toString('base64')])
    expect(await openSealedText(short, key)).toBeUndefined()
})
