import { buildAfterQuery, formatListPage, skipTo } from '../../../contract/api/list-page.js'
import {
  templateCreate,
  templateEdit,
  toTemplateFields,
} from '../../../contract/contact/template-schema.js'
import { pageQuery } from '../../../contract/schema/list-page-schema.js'
import { parseInput } from '../../../contract/schema/parse.js'
import type { MessageTemplate } from '../../../domain/contact/contact.js'
import { buildListKey } from '../../../domain/list-key.js'
import { readFields } from '../../http/request-body.js'
import { createEntityTag, getPrecondition } from '../../http/request-headers.js'
import { parseQuery } from '../../http/request-query.js'
import { getParam, type RouteHandlers } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'

export function createTemplateHandlers({
  templates,
}: Pick<ServerContext, 'templates'>): RouteHandlers<
  'listTemplates' | 'createTemplate' | 'getTemplate' | 'editTemplate' | 'deleteTemplate'
> {
  return {
    listTemplates: async context => {
      const { count, after } = parseQuery(pageQuery(), context.request)
      const found = await templates.list(context.caller.account)
      found.sort((a, b) => (getKey(a) < getKey(b) ? -1 : 1))
      return formatListPage(context, {
        name: 'templates',
        items: skipTo(found, after, getKey),
        count,
        toReply: each => ({ template: toTemplateFields(each) }),
        getNextQuery: ({ createdAt, id }) => buildAfterQuery(createdAt, id),
      })
    },
    createTemplate: async ({ caller, request }) => {
      const draft = parseInput(templateCreate, await readFields(request))
      return formatReply(await templates.create(caller.account, draft))
    },
    getTemplate: async ({ caller, request, response }) => {
      const template = await templates.get(caller.account, getParam(request, 'id'))
      response.setHeader('ETag', getTemplateTag(template))
      return formatReply(template)
    },
    editTemplate: async ({ caller, request, response }) => {
      const id = getParam(request, 'id')
      const check = getPrecondition(request, getTemplateTag)
      const { name, text } = parseInput(templateEdit, await readFields(request))
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(text === undefined ? {} : { text }),
      }
      const template = await templates.edit(caller.account, id, changes, check)
      response.setHeader('ETag', getTemplateTag(template))
      return formatReply(template)
    },
    deleteTemplate: async ({ caller, request }) => {
      const id = getParam(request, 'id')
      await templates.remove(caller.account, id, getPrecondition(request, getTemplateTag))
      return JSON.stringify({ template: { id } })
    },
  }
}

function formatReply(template: MessageTemplate): string {
  return JSON.stringify({ template: toTemplateFields(template) })
}

function getTemplateTag({ name, text }: MessageTemplate): string {
  return createEntityTag(JSON.stringify([name, text]))
}

function getKey({ createdAt, id }: MessageTemplate): string {
  return buildListKey(createdAt, id)
}
