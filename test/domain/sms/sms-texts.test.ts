import { expect, test } from 'vitest'
import { nationalLanguages } from '../../../src/domain/sms/national-tables.js'
import { countSmsParts } from '../../../src/domain/sms/sms-parts.js'
import { smsTexts } from '../../fixtures/sms-texts.js'

test.each(smsTexts)('$name has the alphabet and parts of the fixture', each => {
  const { text, alphabet, parts } = each
  expect(countSmsParts(text)).toEqual({ alphabet, parts })
  expect(countSmsParts(text, { national: nationalLanguages }).parts).toBe(each.national)
})

test('only texts of emoji that fill a part have other parts in gammu and Kannel', () => {
  const others = smsTexts.filter(each => each.gammu !== each.parts || each.kannel !== each.parts)
  expect(others.map(each => each.name)).toEqual(['Emoji, skin tones', 'Emoji, hearts'])
})
