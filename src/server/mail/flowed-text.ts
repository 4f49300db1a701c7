/**
 * Joins the lines of paragraphs (RFC 3676); only lines of the same quote depth belong together. The
 * MIME parser would join a quoted line with the answer below it.
 */
export function joinFlowed(text: string, deletesSpace: boolean): string {
  // Pieces of the mail's text, because a string that grows by each line would be copied for each
  // line.
  const paragraphs: string[][] = []
  let openDepth: number | undefined
  for (const line of text.split('\n')) {
    const [marks = ''] = /^>*/.exec(line) ?? []
    const content = line.slice(marks.length).replace(/^ /, '')
    const isSeparator = content === '-- '
    const open = openDepth === marks.length ? paragraphs.at(-1) : undefined
    if (open === undefined || content === '' || isSeparator) {
      paragraphs.push([marks === '' ? '' : `${marks} `, content])
    } else {
      if (deletesSpace) open.push((open.pop() ?? '').slice(0, -1))
      open.push(content)
    }
    openDepth = content.endsWith(' ') && !isSeparator ? marks.length : undefined
  }
  return paragraphs.map(pieces => pieces.join('')).join('\n')
}
