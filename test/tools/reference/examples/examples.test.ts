import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Operation } from '../../../../src/contract/api/define-operation.js'
import { errorReply } from '../../../../src/contract/user-schema.js'
import type { Example } from '../../../../tools/reference/document.js'
import { projectRoot } from '../../../source-tree.js'
import { operationsWithoutExample } from './all-examples.js'
import { type ExchangedExample, exampleOperations, exchangeExamples } from './exchange-examples.js'

/** The printed examples. */
async function listExamples(): Promise<Example[]> {
  return (await exchangeOnce()).filter(({ isStep }) => !isStep).map(({ example }) => example)
}

let exchanging: Promise<readonly ExchangedExample[]> | undefined

/** The exchange with one relay, for all tests. */
async function exchangeOnce(): Promise<readonly ExchangedExample[]> {
  exchanging ??= exchangeExamples()
  return await exchanging
}

test('a relay answers the requests of examples.json with the replies in it', async () => {
  const text = `${JSON.stringify(await listExamples(), null, 1)}\n`
  await expect(text).toMatchFileSnapshot(join(projectRoot, 'tools/reference/examples.json'))
})

test('every operation has an example, but those that answer with a document', async () => {
  const missing = new Set(Object.keys(exampleOperations))
  for (const { operation, reply } of await listExamples()) {
    if (reply.status < 300) missing.delete(operation)
  }
  expect([...missing]).toEqual(operationsWithoutExample)
})

test('the contract has every field of the replies', async () => {
  for (const { example, realBody } of await exchangeOnce()) {
    const { reply } = exampleOperations[example.operation] as Operation
    if (realBody === undefined) continue
    const schema = example.reply.status < 300 ? reply : errorReply
    expect(schema.parse(realBody), example.operation).toEqual(realBody)
  }
})

test('no secret is printed', async () => {
  const text = JSON.stringify(await listExamples())
  expect(text).not.toMatch(/whsec_|127\.0\.0\.1/)
  expect(text.match(/(?:Bearer|Basic) [^"]+/g)?.filter(each => /[a-z0-9]{8}/.test(each))).toEqual(
    [],
  )
})
