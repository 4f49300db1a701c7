/** Elements that begin a line of their own. */
const blockTags =
  '(?:/?(?:h\\d|p|div|section|ul|ol|li|table|tr|form|fieldset|dl|dt|nav|pre|details|header|small)' +
  '|main|label|legend|summary|br)'
const blocks = new RegExp(`<${blockTags}\\b[^>]*>`, 'g')

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' },
}

/** The title and the visible text of a page, with addresses of links and the fields of forms. */
export function describePage(html: string): { frame: string[]; main: string[] } {
  const title = /<title>(.*?)<\/title>/s.exec(html)?.[1] ?? ''
  const body = html.replace(/<head>.*?<\/head>/s, '').replace(/<(script|svg)\b.*?<\/\1>/gs, '')
  const notice = /<div class="notice[^>]* hidden>.*?<\/div><\/div>/s
  const main = /<main\b.*<\/main>/s.exec(body)?.[0] ?? body
  return {
    frame: main === body ? [] : toLines(body.replace(main, notice.exec(main)?.[0] ?? '')),
    main: [`title ${decode(title)}`, ...toLines(main.replace(notice, ''))],
  }
}

function toLines(html: string): string[] {
  const marked = html
    .replace(/<option\b([^>]*)>(.*?)<\/option>/gs, (_, tag, text) => ` (${describe(tag)} ${text})`)
    .replace(
      /(<select\b[^>]*>)(.*?)<\/select>/gs,
      (_, tag, options) => `${tag}${options.split('(').length > 50 ? ' (many)' : options}`,
    )
    .replace(/<form\b([^>]*)>/g, (_, tag) => `<br>[form ${describe(tag)}]<br>`)
    .replace(/<(input|select|textarea)\b([^>]*)>/g, (_, kind, tag) => `[${kind} ${describe(tag)}]`)
    .replace(
      /<button\b([^>]*)>(.*?)<\/button>/gs,
      (_, tag, text) => `[button ${describe(tag)} ${text}]`,
    )
    .replace(/<a\b([^>]*)>(.*?)<\/a>/gs, (_, tag, text) => ` [${text}](${find(tag, 'href')}) `)
    .replace(/<t[dh]\b[^>]*>/g, ' | ')
  return marked
    .replace(blocks, '\n')
    .replace(/<\/?(?:span|time|button|dd)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .map(line =>
      decode(line)
        .replace(/\s+/g, ' ')
        .replace(/ ([\])])/g, '$1')
        .trim(),
    )
    .filter(line => line !== '')
    .filter((line, index, all) => !isEmptyRow(line) || !isEmptyRow(all[index - 1]))
}

/** A row of a table with a time and zeros: charts have many of them. */
function isEmptyRow(line: string | undefined): boolean {
  return /^\|[^|]+(?:\| 0 ?){2,}$/.test(line ?? '')
}

/** The attributes of a tag that decide what a form sends, or that a person perceives. */
function describe(tag: string): string {
  const names = ['method', 'action', 'formaction', 'type', 'name', 'value', 'placeholder']
  const hidden = / name="(csrf|key|version|was|secret|batch)"/.exec(tag)?.[1]
  if (hidden !== undefined && find(tag, 'type') === 'hidden') return `hidden ${hidden}`
  const shown = names.flatMap(name => find(tag, name) || [])
  const flags = [...tag.matchAll(/ (required|checked|selected|disabled|multiple|hidden)\b/g)]
  return [...shown, ...flags.map(([, name]) => name), find(tag, 'aria-label')].join(' ').trim()
}

function find(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
}

function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (all, code, name) =>
    code === undefined ? (entities[name] ?? all) : String.fromCodePoint(Number(code)),
  )
}
