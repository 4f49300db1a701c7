import { includesRole, type Role } from '../../../domain/account/person.js'
import { changeMarkup, type Html } from '../components/html.js'
import { getPageRole } from './page-roles.js'

const attributes = String.raw`(?:\s+[a-z][a-z0-9-]*(?:="[^"]*")?)*\s*`
const forms = new RegExp(`<form(${attributes})>([^]*?)</form>`, 'g')
const confirmations = /<details class="confirm">(?:(?!<form)[\s\S])*?<\/details>/g
const selectCells = /<t([dh])[^>]* class="c-tick">[\s\S]*?<\/t\1>/g
const links = new RegExp(`<a(${attributes})>([^]*?)</a>`, 'g')
const outsideInputs = /<label class="box">\s*<input[^>]* form="([^"]*)"[^>]*>\s*<\/label>/g
const tables = /<table[^>]*>[\s\S]*?<\/table>/g
const actionHeaders = /<th[^>]*><span class="unseen">Actions<\/span><\/th>/g
const emptyActions = /<td[^>]* class="acts-cell">\s*<\/td>/g
const emptyParts = [
  /<div class="(?:acts|body)">\s*<\/div>/g,
  /<footer>\s*<\/footer>/g,
  /<section class="card"[^>]*>\s*(?:<header>\s*<h2[^>]*>[^<]*<\/h2>\s*<\/header>)?\s*<\/section>/g,
]

/**
 * Leaves out of a dashboard page the forms that a role cannot send, the links to pages that it
 * cannot read, and cards and columns of actions in which nothing is left. The text of a link in a
 * sentence stays, but not that of an action (class `btn` or `link`). Markup escapes all text, so
 * only elements match.
 * @param path path of the page
 */
export function hideForbidden(html: Html, role: Role, path: string): Html {
  if (role === 'admin') return html
  const can = (method: string, address: string): boolean =>
    includesRole(role, getPageRole(method, new URL(address, `http://local${path}`).pathname))
  return changeMarkup(html, text => {
    const hidden: string[] = []
    const changed = text
      .replace(forms, (form: string, start: string, content: string) => {
        const method = getValue(start, 'method') === 'post' ? 'POST' : 'GET'
        if (can(method, getValue(start, 'action'))) return form
        hidden.push(getValue(start, 'id'))
        return getValue(start, 'class') === 'bulk-form' ? hideSelection(content) : ''
      })
      .replace(outsideInputs, (input: string, id: string) => (hidden.includes(id) ? '' : input))
      .replace(confirmations, '')
      .replace(links, (link: string, start: string, content: string) => {
        const address = getValue(start, 'href')
        if (!address.startsWith('/') || /^\/docs\b/.test(address) || can('GET', address))
          return link
        return /^(?:btn|link)\b/.test(getValue(start, 'class')) ? '' : content
      })
    const rest = emptyParts.reduce((left, part) => left.replace(part, ''), changed)
    return rest.replace(tables, hideActionColumn)
  })
}

function hideActionColumn(table: string): string {
  const rest = table.replace(emptyActions, '')
  return rest.includes('class="acts-cell"') ? table : rest.replace(actionHeaders, '')
}

/** A list of the dashboard without what selects its rows. */
function hideSelection(content: string): string {
  const list = content.replace(/<div class="bulk">[\s\S]*$/, '')
  const rows = list.replace(selectCells, '').replace(/<input type="hidden"[^>]*>/g, '')
  return `<div class="bulk-form">${rows}</div>`
}

function getValue(start: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(start)?.[1]?.replaceAll('&amp;', '&') ?? ''
}
