import { group } from '../../../resources/group.js'
import { pluralize } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import { ButtonLink } from '../components/form.js'
import { Fragment, h } from '../components/html.js'
import { buildLink } from '../components/pagination.js'
import type { Pages } from '../page/page.js'
import { createResourcePages } from '../resources/resource-pages.js'
import { contactsPath } from './contact-paths.js'

export function createGroupPages({ groups }: Pick<ServerContext, 'groups'>): Pages {
  return createResourcePages(group, groups, {
    cells: {
      name: ({ record: { id, name } }) => (
        <a href={buildLink(contactsPath, { group: id })}>{name}</a>
      ),
      members: ({ said }) => pluralize(Number(said.members), 'contact'),
    },
    rowActions: ({ id, name }) => (
      <>
        <ButtonLink
          href={`${group.page.path}/${encodeURIComponent(id)}`}
          label="Rename"
          title={`Rename ${name}`}
        />
        <ButtonLink
          href={buildLink('/send/contacts', { group: id })}
          label="Send a text"
          title={`Send a text to ${name}`}
        />
      </>
    ),
    pageActions: ({ id }) => (
      <ButtonLink href={buildLink(contactsPath, { group: id })} label="Members" icon="people" />
    ),
  })
}
