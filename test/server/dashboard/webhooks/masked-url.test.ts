import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskUrl, unmaskUrl } from '../../../../src/server/dashboard/webhooks/masked-url.js'

test.each([
  ['https://example.com/a@b?c=d@e', 'https://example.com/a@b?c=d@e'],
  ['https://ann:pass@example.com/', 'https://•••@example.com/'],
  ['http://a@b:c@example.com?x=@', 'http://•••@example.com?x=@'],
  ['http://token@127.0.0.1:80#@', 'http://•••@127.0.0.1:80#@'],
])('%s is masked as %s', (url, masked) => {
  expect(maskUrl(url)).toBe(masked)
})

test('property: a login is never shown, and is restored only for the same server', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true }),
      fc.uuid(),
      fc.uuid(),
      (url, user, secret) => {
        const stored = url.replace('://', `://${user}:${secret}@`)
        const masked = maskUrl(stored)
        expect(masked).not.toContain(user)
        expect(masked).not.toContain(secret)
        expect(unmaskUrl(masked, stored)).toBe(stored)
        expect(unmaskUrl(url, stored)).toBe(url)
        expect(unmaskUrl(masked.replace('•••@', '•••@x'), stored)).toBeUndefined()
      },
    ),
  )
})

test.each([
  ['not an address', 'not an address'],
  ['http://•••@', undefined],
  ['http://new:one@other.example', 'http://new:one@other.example'],
])('%s is unmasked as %s', (typed, url) => {
  expect(unmaskUrl(typed, 'http://a:b@example.com')).toBe(url)
})
