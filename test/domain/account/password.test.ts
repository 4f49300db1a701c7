import { describe, expect, test } from 'vitest'
import list from '../../../src/domain/account/common-passwords.json' with { type: 'json' }
import { checkPassword } from '../../../src/domain/account/password.js'

describe('a new password', () => {
  test.each([
    ['of 8 characters', 'kq7-vz2x'],
    ['of 1024 characters', 'ab'.repeat(512)],
    ['of 8 characters outside the Basic Multilingual Plane', '🐎🔋🐎🔋📎🐎🔋📎'],
    ['that contains a common one', 'password1-kq7'],
    ['of several words', 'correct horse'],
  ])('%s is accepted', async (_, password) => {
    expect(await checkPassword(password)).toBe(password)
  })

  test.each([
    ['of 7 characters', 'kq7-vz2'],
    ['of 7 characters outside the Basic Multilingual Plane', '🐎🔋🐎🔋📎🐎🔋'],
    ['of 1025 characters', 'a'.repeat(1025)],
  ])('%s is rejected for its length', async (_, password) => {
    await expect(checkPassword(password)).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: '`password` must have 8 to 1024 characters.',
    })
  })

  test.each(['password', 'Password1', '12345678', '00000000', 'TRUSTNO1', 'ｐａｓｓｗｏｒｄ'])(
    '%s is rejected as a common one',
    async password => {
      await expect(checkPassword(password)).rejects.toMatchObject({
        code: 'invalid_parameter',
        message: '`password` is one of the 10,000 most common leaked passwords.',
        hint: 'Choose another one, such as four random words.',
      })
    },
  )
})

test('the list has each common password of 8 characters or more once, in lower case', () => {
  expect(list).toHaveLength(3309)
  expect(new Set(list).size).toBe(list.length)
  expect(list.filter(each => each.length < 8 || each !== each.toLowerCase())).toEqual([])
})
