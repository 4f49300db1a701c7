// What tests ask of a page from within; put into every page before its own scripts run.
globalThis.inPage = {
  /** What has the focus, and whether one sees that it has it. */
  focus() {
    const element = document.activeElement
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    const { top, left, bottom, right } = element.getBoundingClientRect()
    const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    return {
      name: (element.labels?.[0] ?? element).textContent.trim(),
      isMarked: hasOutline || boxShadow !== 'none',
      isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
    }
  },

  /** Opens what can be opened, so that it is looked at too. */
  openAll() {
    for (const details of document.querySelectorAll('details')) details.open = true
  },

  /** Where the links and the forms that only ask lead. */
  links() {
    const links = [...document.querySelectorAll('a[href]:not([download])')].map(each => each.href)
    return links.filter(href => new URL(href).origin === location.origin)
  },

  /** What of a payload of {@link file://./hostile.ts} came through, and what is too wide for the window. */
  faults() {
    const faults = []
    if (globalThis.xss !== undefined) faults.push('a payload ran')
    if (document.querySelector('.xss, [onerror], [onload]') !== null)
      faults.push('a payload is markup')
    if (document.querySelector('[href^="javascript:" i], [action^="javascript:" i]') !== null)
      faults.push('a payload is an address')
    const { scrollWidth } = document.documentElement
    if (scrollWidth > innerWidth)
      faults.push(`${scrollWidth} pixels wide in a window of ${innerWidth}`)
    return faults
  },
}
