import { type MessageTemplate, template } from '../../../resources/template.js'
import type { ServerContext } from '../../http/server-context.js'
import { ButtonLink } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import { buildLink } from '../components/pagination.js'
import type { Pages } from '../page/page.js'
import { createResourcePages } from '../resources/resource-pages.js'
import { TemplatePreview } from './template-preview.js'

const previewed = 5

export function createTemplatePages(context: Pick<ServerContext, 'templates' | 'contacts'>): Pages {
  return createResourcePages(template, context.templates, {
    rowActions: SendLink,
    pageActions: SendLink,
    details: async ({ account }, { text }) => {
      const contacts = await context.contacts.getPage(account, { count: previewed })
      return <TemplatePreview text={text} contacts={contacts} />
    },
  })
}

function SendLink({ id, name }: Pick<MessageTemplate, 'id' | 'name'>): Html {
  return (
    <ButtonLink
      href={buildLink('/send/contacts', { template: id })}
      label="Send"
      title={`Send ${name}`}
      icon="send"
    />
  )
}
