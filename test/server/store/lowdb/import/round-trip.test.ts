import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExport } from '../../../../../src/server/store/lowdb/import/parse-export.js'
import { exportData, importData } from '../../../../../src/server/store/lowdb/journal/data-tools.js'
import { temporaryFolder } from '../../../../temporary-folder.js'
import { scale } from '../../../../tier.js'

const account = {
  ...{ id: 'ada', email: 'ada@example.com', passwordHash: 'p', secretKey: 's', appKey: 'k' },
  ...{ apiKeyHash: 'h', country: 'US', mode: 'at-least-once', createdAt: 1 },
  limits: { messagesPerHour: 100, waitingMessages: 0, secretUrls: 5 },
}

const time = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constant(1_700_000_000_000))
const count = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.nat(9))
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
const name = fc.oneof(fc.base64String({ minLength: 1 }), fc.string({ minLength: 1 }))
const status = fc.constantFrom('N', 'S', 'E', 'F', 'D', 'L', 'B')

const delivery = fc
  .tuple(fc.stringMatching(/^[pdue-]{1,9} \d{1,13}$/), fc.option(text))
  .map(([head, reason]) => (reason === null ? head : `${head} ${reason}`))

const attempts = fc
  .array(fc.stringMatching(/^\d{1,13} [fu] [ -~]{0,64}\t[^\n]{0,200}$/), {
    minLength: 1,
    maxLength: 5,
  })
  .map(lines => lines.join('\n'))

/** Any message that the schema accepts, with its fields in the order in which they are stored. */
const message = fc
  .record(
    {
      id: fc.oneof(fc.uuid(), fc.uuid({ version: 7 }), name),
      account: fc.constant('ada'),
      destination: name,
      number: fc.stringMatching(/^\+?\d{3,30}$/),
      text,
      source: fc.constantFrom('website', 'api', 'url', 'email'),
      status,
      ...{ createdAt: time, sendAt: time, statusAt: time, failures: count },
      retryAt: time,
      lease: fc.record({ holder: name, until: time }),
      ...{ lastHolder: name, parts: count, error: text, reportKey: text },
      ...{ phone: name, delivery, attempts },
    },
    {
      requiredKeys: [
        ...(['id', 'account', 'destination', 'number', 'text', 'source', 'status'] as const),
        ...(['createdAt', 'sendAt', 'statusAt', 'failures'] as const),
      ],
      noNullPrototype: true,
    },
  )
  .chain(fields =>
    fields.status === 'D' ? status.map(before => ({ ...fields, before })) : fc.constant(fields),
  )

const messages = fc.uniqueArray(message, { selector: ({ id }) => id, maxLength: 30 })

async function* encode(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(line)
}

/** The lines of the export of an import. */
async function importAndExport(lines: readonly string[]): Promise<string[]> {
  const folder = await temporaryFolder()
  await importData(folder, await parseExport(encode(lines)))
  const exported: string[] = []
  for await (const each of exportData(folder)) exported.push(JSON.stringify(each))
  return exported
}

test('an export of any messages is imported and exported as the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(messages, async records => {
      const kinds = records.map(record => ({ kind: 'message', key: record.id, record }))
      const all = [{ kind: 'account', key: 'ada', record: account }, ...kinds]
      const lines = all.map(each => JSON.stringify(each))
      const exported = await importAndExport(lines)
      expect(exported.map(line => JSON.parse(line))).toEqual(lines.map(line => JSON.parse(line)))
      expect(await importAndExport(exported)).toEqual(exported)
    }),
    { numRuns: scale(60) },
  )
})
