// Functions that tests call in a page. They are added to each page before its own scripts run.
/** The rules that compare colours. */
const colorRules = ['color-contrast', 'link-in-text-block']

globalThis.inPage = {
  /** The element with the focus, and whether its focus is visible. */
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

  /** Whether an element has the focus; undefined if a live update has removed it. */
  hasFocus(element) {
    return element.isConnected ? element === document.activeElement : undefined
  },

  openAll() {
    for (const details of document.querySelectorAll('details')) details.open = true
  },

  removeAll(selector) {
    for (const each of document.querySelectorAll(selector)) each.remove()
  },

  /** Removes elements whose content has the same kinds of elements as that of an earlier one. */
  removeSimilar(selector) {
    const seen = new Set()
    for (const each of document.querySelectorAll(selector)) {
      const kinds = [...each.querySelectorAll('*')].map(
        ({ localName, className, parentElement }) =>
          `${parentElement.localName} ${localName} ${className}`,
      )
      const kind = [...new Set(kinds)].sort().join()
      if (seen.has(kind)) each.remove()
      seen.add(kind)
    }
  },

  /** Bytes of the bodies of the page, of its scripts, and of all, as they come over the wire. */
  sizes() {
    const [page] = performance.getEntriesByType('navigation')
    const files = performance.getEntriesByType('resource')
    const sum = entries => entries.reduce((total, each) => total + each.encodedBodySize, 0)
    const scripts = files.filter(({ initiatorType }) => initiatorType === 'script')
    return { page: page.encodedBodySize, scripts: sum(scripts), all: sum([page, ...files]) }
  },

  /** Checks the page with rules of axe except colours, without some elements, and with `faults`. */
  async check(rules, exclude) {
    if (rules.length === 0) return inPage.faults()
    return [...inPage.faults(), ...(await inPage.runAxe({ exclude: [exclude] }, rules))]
  },

  /** Checks the colours of one text of each kind. A live update can have removed some kinds. */
  async checkColors(kinds, exclude) {
    const texts = inPage.findTexts(exclude)
    const checked = kinds.filter(kind => texts.has(kind))
    const include = checked.map(kind => texts.get(kind))
    const found = include.length === 0 ? [] : await inPage.runAxe({ include }, colorRules)
    return { checked, found }
  },

  async runAxe(context, runOnly) {
    const off = runOnly === colorRules ? [] : colorRules
    const rules = Object.fromEntries(off.map(rule => [rule, { enabled: false }]))
    const options = { runOnly, rules, resultTypes: ['violations'], selectors: false }
    const { violations } = await axe.run(context, options)
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  },

  /**
   * The first visible element of each kind that shows text of its own. Elements of a kind have the
   * same computed colours and font, and so have their ancestors, of the same names and classes.
   */
  findTexts(exclude) {
    const paths = new Map([[document.documentElement, '']])
    const findPath = element => {
      const known = paths.get(element)
      if (known !== undefined) return known
      const { color, backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
      const name = `${element.localName}.${element.className}${element.matches(':disabled')}`
      const style = `${color} ${backgroundColor} ${backgroundImage} ${opacity}`
      const path = `${findPath(element.parentElement)}/${name} ${style}`
      paths.set(element, path)
      return path
    }
    const texts = new Map()
    for (const element of document.body.querySelectorAll('*')) {
      const hasText = [...element.childNodes].some(
        each => each.nodeType === 3 && /\S/.test(each.data),
      )
      if (!hasText && !element.matches('input, select, textarea')) continue
      if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(exclude))
        continue
      const { fontSize, fontWeight } = getComputedStyle(element)
      const kind = `${findPath(element)} ${fontSize} ${fontWeight}`
      if (!texts.has(kind)) texts.set(kind, element)
    }
    return texts
  },

  /** Finds traces of the payloads in `payload-account.ts`, and a page that is too wide. */
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
    const { scrollHeight } = document.documentElement
    const bottom = Math.ceil(document.body.getBoundingClientRect().bottom + scrollY)
    if (scrollHeight > Math.max(bottom, innerHeight) + 1)
      faults.push(`${scrollHeight} pixels long, of which the content takes ${bottom}`)
    return faults
  },
}
