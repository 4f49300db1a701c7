import { describe, expect, test } from 'vitest'
import { redactText, secretPaths, secretPrefixes } from '../../src/domain/redact-text.js'

describe('redactText', () => {
  test.each(secretPrefixes)('hides what begins with %s', prefix => {
    expect(redactText(`the key ${prefix}Ab-c_9= of x`)).toBe(`the key ${prefix}… of x`)
    expect(redactText(`a_${prefix}Ab`)).toBe(`a_${prefix}…`)
  })

  test.each(secretPaths)('hides what follows %s', path => {
    const end = path.endsWith('/') ? 'Secret%2F1' : '?token=Secret'
    for (const given of [path, path.toUpperCase()]) {
      const shown = redactText(`GET "https://a.example/sms${given}${end}" failed`)
      expect(shown).toMatch(/^GET "https:\/\/a\.example\/sms.*…" failed$/)
      expect(shown).not.toContain('ecret')
    }
  })

  test.each([
    ['postgres://ann:p@ss@w@host:5432/x', 'postgres://…@host:5432/x'],
    ['smtp://ann@example.com:p@host', 'smtp://…@host'],
    ['https://u:p/a@ss@host/x', 'https://…@host/x'],
    ['{"a":"https://u:p@h/x","b":"c@d"}', '{"a":"https://…@h/x","b":"c@d"}'],
    ['authorization: Bearer abc', 'authorization: Bearer …'],
    ['to +49 170 1234567', 'to …'],
    ['nothing is secret: /users/1, a@b.c', 'nothing is secret: /users/1, a@b.c'],
  ])('%s becomes %s', (text, shown) => expect(redactText(text)).toBe(shown))
})
