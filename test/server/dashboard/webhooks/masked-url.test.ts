import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskUrl, unmaskUrl } from '../../../../src/server/dashboard/webhooks/masked-url.js'

test.each([
  ['https://example.com/a@b?c=d@e', 'https://example.com/a@b?c=d@e'],
  ['https://ann:pass@example.com/', 'https://•••@example.com/'],
  ['http://a@b:c@example.com?x=@', 'http://•••@example.com?x=@'],
  ['http://token@127.0.0.1:80#@', 'http://•••@127.0.0.1:80#@'],
])('%s is shown as %s', (url, shown) => {
  expect(maskUrl(url)).toBe(shown)
})

test('property: a login is never shown, and comes back for the same server only', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true }),
      fc.uuid(),
      fc.uuid(),
      (url, user, secret) => {
        const stored = url.replace('://', `://${user}:${secret}@`)
        const shown = maskUrl(stored)
        expect(shown).not.toContain(user)
        expect(shown).not.toContain(secret)
        expect(unmaskUrl(shown, stored)).toBe(stored)
        expect(unmaskUrl(url, stored)).toBe(url)
        expect(unmaskUrl(shown.replace('•••@', '•••@x'), stored)).toBeUndefined()
      },
    ),
  )
})

test('nothing is made up where nothing was stored or typed', () => {
  expect(unmaskUrl('not an address', 'http://a:b@example.com')).toBe('not an address')
  expect(unmaskUrl('http://•••@', 'http://a:b@example.com')).toBeUndefined()
  expect(unmaskUrl('http://new:one@other.example', 'http://a:b@example.com')).toBe(
    'http://new:one@other.example',
  )
})
