import { expect } from 'vitest'

const payloads = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</textarea><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '{{7*7}}<%= 7*7 %>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  'javascript:alert(1)',
]

export const allPayloads = payloads.join(' ')

/** Checks that a page has no tag, handler or script except its own. */
export function expectNoMarkup(html: string): void {
  expect(html).not.toMatch(/<\/?img\b|<svg(?! class="(?:icon|mark|sprite|axis|qr)| viewBox=")/i)
  const scripts = html.match(/<script[^>]*>/g) ?? []
  expect(
    scripts.every(tag => /\/(morph|dashboard|live-page|send-forms|passkey)\.js"/.test(tag)),
  ).toBe(true)
  expect(new Set(scripts).size).toBe(scripts.length)
  expect(html).not.toMatch(/<script(?! src="\/assets\/)/)
  expect(html).not.toMatch(/<[^>]*\son\w+=/)
}
