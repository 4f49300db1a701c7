import type { RelayClient } from '../../client/relay-client.js'
import type { ContactFields } from '../../contract/contact/contact-schema.js'
import { normalizeName } from '../../domain/contact/contact.js'
import { RelayError } from '../../errors.js'
import type { RereadableFile } from '../terminal/rereadable-file.js'

export async function openGroupSource(
  { contacts }: Pick<RelayClient, 'contacts'>,
  group: string,
  signal: AbortSignal,
): Promise<RereadableFile> {
  const members = await contacts.list({ group, signal })
  if (members.length === 0)
    throw new RelayError('usage', `The group ${group} has no members.`, {
      hint: 'Add them with a file (`contact import`) or on the dashboard.',
    })
  const bytes = Buffer.from(formatTable(members))
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  return { path: undefined, open, close: async () => {} }
}

export async function findTemplateText(
  { templates }: Pick<RelayClient, 'templates'>,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  const all = await templates.list({ signal })
  const key = normalizeName(name)
  const found = all.find(each => each.id === name || normalizeName(each.name) === key)
  if (found !== undefined) return found.text
  throw new RelayError('not_found', `There is no template ${name}.`, {
    hint: 'List them with `template list`.',
  })
}

/** A table with the values as they are; those of `contact export` are safe for spreadsheets. */
function formatTable(members: readonly ContactFields[]): string {
  const names = [...new Set(members.flatMap(({ fields }) => Object.keys(fields)))]
  const rows = members.map(({ number, name, fields }) => [
    ...[number, name],
    ...names.map(each => fields[each] ?? ''),
  ])
  const lines = [['number', 'name', ...names], ...rows]
  return lines.map(cells => `${cells.map(quoteCell).join(',')}\n`).join('')
}

function quoteCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
