import { createBulkReader } from '../../../domain/bulk/bulk-table.js'
import type { Contact } from '../../../domain/contact/contact.js'
import { createContactTable } from '../../../domain/contact/contact-table.js'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { Card } from '../components/card.js'
import { type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'

export function TemplatePreview(props: {
  readonly text: string
  readonly contacts: readonly Contact[]
}): Html {
  const { text, contacts } = props
  const table = createContactTable(text, contacts)
  const read = createBulkReader({ text, digest: hashText })
  read({ line: 1, cells: table.header })
  const rows = contacts.map((contact, at) => {
    const { draft, problems = [] } = read({ line: at + 2, cells: table.toCells(contact) }) ?? {}
    const filled = draft?.message ?? ''
    const isValid = problems.length === 0
    return [
      contact.name || contact.number,
      <span class={isValid ? 'text' : 'bad-text'}>{isValid ? filled : problems.join('; ')}</span>,
      isValid ? String(countSmsParts(filled).parts) : '',
    ]
  })
  return (
    <Card title="With the first contacts" id="preview">
      <Table
        caption="The saved template with the first contacts"
        head={['Contact', 'Text', 'Parts']}
        rows={rows}
        empty="There are no contacts yet."
      />
    </Card>
  )
}
