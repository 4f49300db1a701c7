import type { Page } from 'playwright-core'

/** The addresses of links on the site of a page, except downloads. */
const listLinks = `[...document.querySelectorAll('a[href]:not([download])')]
  .map(each => each.href)
  .filter(href => new URL(href).origin === location.origin)`

/**
 * Follows all links from some paths, visits one page of each kind, and returns the paths. A page
 * with several query parameters is like those with one of them.
 */
export async function visitPages(
  page: Page,
  from: readonly string[],
  visit: (page: Page) => Promise<void> = async () => {},
): Promise<string[]> {
  const paths = [...from]
  const seen = new Set(from.map(getPageKind))
  for (let at = 0; at < paths.length; at += 1) {
    await page.goto(paths[at] ?? '/')
    await visit(page)
    for (const href of await page.evaluate<string[]>(listLinks)) {
      const { pathname, search, searchParams } = new URL(href)
      const kind = getPageKind(pathname + search)
      if (seen.has(kind) || searchParams.size > 1) continue
      seen.add(kind)
      paths.push(pathname + search)
    }
  }
  return paths
}

/** A path without identifiers and values. */
function getPageKind(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://walk.invalid')
  const kinds = pathname.split('/').map(each => (/[\d%]/.test(each) ? ':' : each))
  return `${kinds.join('/')}?${[...searchParams.keys()].sort()}`
}
