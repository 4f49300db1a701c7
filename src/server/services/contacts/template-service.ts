import { createBulkReader } from '../../../domain/bulk/bulk-table.js'
import { createContactTable } from '../../../domain/contact/contact-table.js'
import { RelayError } from '../../../errors.js'
import type { DraftOf } from '../../../resources/resource.js'
import { template } from '../../../resources/template.js'
import { ResourceService } from '../resource-service.js'
import type { ServiceContext } from '../service-context.js'

export class TemplateService extends ResourceService<typeof template> {
  constructor(context: ServiceContext) {
    super(context, template)
  }

  protected override prepare<D extends Partial<DraftOf<typeof template>>>(draft: D): D {
    if (draft.text !== undefined) assertTemplateText(draft.text)
    return draft
  }
}

function assertTemplateText(text: string): void {
  const { header } = createContactTable(text)
  try {
    createBulkReader({ text, digest: each => each })({ line: 1, cells: header })
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    const hint = 'Write {{ or }} for a brace, and {name} for a field.'
    throw new RelayError('invalid_parameter', `\`text\`: ${error.message}`, { hint })
  }
}
