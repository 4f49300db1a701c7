import { describe, expect, it } from 'vitest'
import { formatLimitedTable, formatTable } from '../../../src/cli/terminal/text-table.js'

describe('formatTable', () => {
  it('aligns columns, also with wide letters, and prints a row on one line', () => {
    const rows = [
      ['你好', 'one\ntwo'],
      ['a', 'b'],
    ]
    expect(formatTable({ head: ['ID', 'TEXT'], rows })).toBe('ID    TEXT\n你好  one two\na     b')
  })
})

describe('formatLimitedTable', () => {
  const head = ['ID', 'TEXT', 'STATE', 'REASON']
  const rows = [['a', 'a long text that does not fit', 'failed', 'No such number.']]
  const canTruncate = [false, true, false, true]

  it('truncates the widest texts until the table fits', () => {
    expect(formatLimitedTable({ head, rows }, { width: 80, canTruncate })).toBe(
      formatTable({ head, rows }),
    )
    expect(formatLimitedTable({ head, rows }, { width: 40, canTruncate })).toBe(
      'ID  TEXT           STATE   REASON\na   a long text …  failed  No such numb…',
    )
  })

  it('returns undefined if the table does not fit with eight columns of each text', () => {
    const width = 2 + 2 + 8 + 2 + 6 + 2 + 8
    expect(formatLimitedTable({ head, rows }, { width, canTruncate })).toMatch(/No such…$/)
    expect(formatLimitedTable({ head, rows }, { width: width - 1, canTruncate })).toBeUndefined()
  })
})
