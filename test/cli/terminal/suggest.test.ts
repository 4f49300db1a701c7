import { describe, expect, it } from 'vitest'
import { countEdits, suggest } from '../../../src/cli/terminal/suggest.js'

const known = ['login', 'logout', 'message', 'message send', 'message get', 'whoami', 'hook']

describe('suggest', () => {
  it.each([
    ['lgin', 'login'],
    ['mesage', 'message'],
    ['mesage send', 'message send'],
    ['whomai', 'whoami'],
    ['message foo', undefined],
    ['foo', undefined],
    ['', undefined],
  ])('%j: %j', (typed, near) => expect(suggest(typed, known)).toBe(near))
})

describe('countEdits', () => {
  it.each([
    ['', '', 0],
    ['a', '', 1],
    ['kitten', 'sitting', 3],
    ['lsit', 'list', 1],
    ['abcd', 'badc', 2],
  ])('%j to %j is %i', (a, b, edits) => expect(countEdits(a, b)).toBe(edits))
})
