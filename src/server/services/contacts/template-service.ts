import type { Account } from '../../../domain/account/account.js'
import { createBulkReader } from '../../../domain/bulk/bulk-table.js'
import { type MessageTemplate, sortByName } from '../../../domain/contact/contact.js'
import { createContactTable } from '../../../domain/contact/contact-table.js'
import { limits } from '../../../domain/limits.js'
import { RelayError } from '../../../errors.js'
import type { Store } from '../../store/store.js'
import { createAccountRecord } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'

export interface TemplateDraft {
  readonly name: string
  readonly text: string
}

export class TemplateService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  withStore(store: Store): TemplateService {
    return new TemplateService({ ...this.#context, store })
  }

  async list(account: Account): Promise<MessageTemplate[]> {
    const templates = await this.#context.store.templates.list(account.id)
    return sortByName(templates)
  }

  async get(account: Account, id: string): Promise<MessageTemplate> {
    return requireTemplate(await this.#context.store.templates.get(id), account, id)
  }

  async create(account: Account, { name, text }: TemplateDraft): Promise<MessageTemplate> {
    assertTemplateText(text)
    const { store, newId, clock } = this.#context
    const templates = await store.templates.list(account.id)
    if (templates.length >= limits.templates)
      throw new RelayError('invalid_parameter', `There are ${limits.templates} templates already.`)
    const template = { id: newId(), account: account.id, name, text, createdAt: clock.now() }
    await createAccountRecord(store, store.templates, template)
    return template
  }

  /**
   * Changes a template, unless `check` of the current one throws. Throws `not_found` and, as
   * {@link create} does, `invalid_parameter`.
   */
  async edit(
    account: Account,
    id: string,
    changes: Partial<TemplateDraft>,
    check?: (current: MessageTemplate) => void,
  ): Promise<MessageTemplate> {
    if (changes.text !== undefined) assertTemplateText(changes.text)
    const changed = await this.#context.store.templates.change(id, current => {
      const template = requireTemplate(current, account, id)
      check?.(template)
      return { ...template, ...changes }
    })
    return requireTemplate(changed, account, id)
  }

  async remove(
    account: Account,
    id: string,
    check?: (current: MessageTemplate) => void,
  ): Promise<MessageTemplate> {
    let removed: MessageTemplate | undefined
    await this.#context.store.templates.change(id, current => {
      removed = requireTemplate(current, account, id)
      check?.(removed)
      return null
    })
    return requireTemplate(removed, account, id)
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

function requireTemplate(
  template: MessageTemplate | undefined,
  { id: account }: Account,
  id: string,
): MessageTemplate {
  if (template?.account === account) return template
  throw new RelayError(
    'not_found',
    `There is no template ${id}; list the templates to see their ids.`,
  )
}
