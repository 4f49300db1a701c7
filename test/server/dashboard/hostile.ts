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
/** Every payload in one text. */
export const allPayloads = payloads.join(' ')

/** The tags of a page; a payload that got through would be one more. */
function listTags(html: string): string[] {
  return [...html.matchAll(/<\/?([a-z][^\s>/]*)/gi)].map(([, name = '']) => name.toLowerCase())
}

/** Sees that a page has no tag, handler or script but its own. */
export function expectNoMarkup(html: string): void {
  const known = new Set(listTags(html))
  for (const name of ['img', 'svg']) expect(known).not.toContain(name)
  const scripts = html.match(/<script[^>]*>/g) ?? []
  expect(scripts.every(tag => /\/(htmx|dashboard|uplot|charts)\.js"/.test(tag))).toBe(true)
  expect(new Set(scripts).size).toBe(scripts.length)
  expect(html).not.toMatch(/<script(?! src="\/assets\/)/)
  expect(html).not.toMatch(/<[^>]*\son\w+=/)
}
