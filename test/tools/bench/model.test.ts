import { expect, test } from 'vitest'
import type { Figure } from '../../../tools/bench/report/figure.js'
import { modelRows, modelScale } from '../../../tools/bench/report/model.js'

const amounts = { node: 200, database: 100, several: 2, statements: 3 }

function createFigures(names: readonly (keyof typeof amounts)[]): Figure[] {
  return names.map(name => ({
    ...{ row: modelRows[name], value: amounts[name] },
    ...{ unit: 'µs', target: { most: 0 } },
  }))
}

test('the rate of many nodes is that of the slower side', () => {
  const { table } = modelScale(createFigures(['node', 'database', 'several', 'statements'])) ?? {}
  const cells = table?.split('\n').map(line => line.split('|').map(cell => cell.trim()))
  const rows = cells?.slice(2).map(([, nodes, , byNodes, byDatabases, rate, limit]) => {
    return [nodes, byNodes, byDatabases, rate, limit]
  })
  // A node passes 1 s ÷ (200 µs × 2), a core of a database 1 s ÷ (100 µs × 2).
  expect(rows?.slice(0, 4)).toEqual([
    ['10', '25,000', '80,000', '25,000', 'nodes'],
    ['100', '250,000', '80,000', '80,000', 'databases'],
    ['100', '250,000', '320,000', '250,000', 'nodes'],
    ['100', '250,000', '800,000', '250,000', 'nodes'],
  ])
  expect(cells?.[2]?.slice(7, 10)).toEqual(['at most 80', '30/s', '225/s'])
})

test('there is no model without one of its figures', () => {
  expect(modelScale(createFigures(['node', 'database', 'several']))).toBeUndefined()
})
