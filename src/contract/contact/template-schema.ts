import * as z from 'zod/mini'
import type { MessageTemplate } from '../../domain/contact/contact.js'
import { limits } from '../../domain/limits.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { describe, utcTime } from '../schema/describe.js'
import { pageLinks } from '../schema/list-page-schema.js'
import { textField } from '../schema/schema-fields.js'
import { nameField } from './contact-schema.js'

const templateFields = z.lazy(() =>
  describe(
    z.object({
      id: describe(z.string(), 'Identifies the template in `/api/1/template/<id>`.'),
      name: describe(z.string(), 'The name, unique in the account.'),
      text: describe(z.string(), 'The text with fields such as `{name}` or `{name|customer}`.'),
      created_on: describe(z.string(), 'When it was created.', utcTime),
    }),
    'A template.',
    { id: 'Template' },
  ),
)

export const templateReply = z.lazy(() => z.object({ template: templateFields }))

export const templateListReply = z.lazy(() =>
  z.object({
    templates: describe(z.array(templateReply), 'The templates, in order of their names.'),
    links: pageLinks,
  }),
)

export const templateIdReply = z.lazy(() =>
  z.object({
    template: describe(
      z.object({ id: describe(z.string(), 'The id of the template.') }),
      'The template.',
    ),
  }),
)

const name = z.lazy(() => describe(nameField(1), 'The name, unique in the account.'))
const text = z.lazy(() =>
  describe(
    textField(1, limits.text),
    'The text: `{name}`, `{number}` or a field; `{name|customer}` has a text for contacts ' +
      'without it; `{{` is a brace.',
  ),
)

export const templateCreate = z.lazy(() => z.object({ name, text }))
export const templateEdit = z.lazy(() =>
  z.object({ name: z.optional(name), text: z.optional(text) }).check(
    z.refine(edit => edit.name !== undefined || edit.text !== undefined, {
      error: 'must have at least one of name and text',
    }),
  ),
)

export type TemplateFields = z.infer<typeof templateFields>
export type TemplateCreate = z.infer<typeof templateCreate>

export function toTemplateFields({ id, name, text, createdAt }: MessageTemplate): TemplateFields {
  return { id, name, text, created_on: formatDateTime(createdAt) }
}
