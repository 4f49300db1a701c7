// The script of live pages, after that of every page (dashboard.js). It updates a page after each
// change, which the event stream `/live` tells: it asks for the page again, and idiomorph changes
// only what differs. Fields, open details and selected text stay as they are; new rows of a list
// with `data-hold` wait behind a link. Without the stream the page polls, and says so.

/** An update follows a change at once, but so many milliseconds after the last update. */
const minUpdateInterval = 600
/** Milliseconds in which further changes join an update. */
const burst = 100
const pollInterval = 15_000
/** Milliseconds in which the stream opens; it never does behind a proxy that holds replies back. */
const maxOpenTime = 10_000
const liveAddress = new URL('../../live', document.currentScript.src)
/** What has the event stream of all pages of the browser (live-stream.js). */
let worker
/** The event stream of this page, in browsers without shared workers. */
let stream
let hasWorkerAnswered = false
let hasJoined = false
let opening
/** Milliseconds since the epoch. */
let requestedAt = Date.now() - performance.now()
let timer
let poll
let isUpdating = false
let hasOpened = false
let lastUpdate = -minUpdateInterval

function scheduleUpdate() {
  const wait = Math.max(burst, lastUpdate + minUpdateInterval - performance.now())
  if (timer === undefined) timer = setTimeout(updatePage, wait)
}

async function updatePage() {
  timer = undefined
  lastUpdate = performance.now()
  if (isUpdating || !document.getSelection().isCollapsed) return scheduleUpdate()
  isUpdating = true
  requestedAt = Date.now()
  try {
    const headers = { Accept: 'text/html', 'X-Page-Version': document.body.dataset.version }
    const reply = await fetch(location.href, { headers })
    if (reply.redirected) return location.reload()
    if (reply.status === 200) showUpdate(await reply.text())
  } catch {
    // The relay is not reachable; the stream says when it is again.
  } finally {
    isUpdating = false
  }
}

function showUpdate(text) {
  const page = new DOMParser().parseFromString(text, 'text/html')
  const link = holdNewRows(page)
  document.title = page.title
  document.body.dataset.version = page.body.dataset.version
  document.body.dataset.mark = page.body.dataset.mark
  window.Idiomorph.morph(document.body, [...page.body.childNodes], {
    morphStyle: 'innerHTML',
    callbacks: { beforeNodeMorphed, beforeNodeRemoved, beforeAttributeUpdated },
  })
  link?.()
  showCopyButtons()
}

/** Removes new rows of held lists from the update, and returns what shows the link to them. */
function holdNewRows(page) {
  const list = document.querySelector('[data-hold]')
  const next = page.querySelector('[data-hold]')
  if (list === null || next === null) return undefined
  const known = new Set([...list.children].map(row => row.id))
  const added = [...next.children].filter(row => !known.has(row.id))
  for (const row of added) row.remove()
  const kept = new Set([...next.children].map(row => row.id))
  // Rows that the new ones moved to the next page stay until somebody loads the list again.
  if (added.length > 0)
    for (const row of list.children) if (!kept.has(row.id)) next.append(row.cloneNode(true))
  return () => {
    const news = document.querySelector('#news')
    news.hidden = added.length === 0
    news.querySelector('[data-count]').textContent = String(added.length)
  }
}

function isField(node) {
  return node.matches?.('input:not([type=hidden]), textarea, select') === true
}

/** Whether it is the key of a form: with another one, a second click would send another form. */
function isFormKey(node) {
  return node.name === 'key' && node.type === 'hidden'
}

let hasKept = false

/** Whether somebody is in this element or form; a list that is updated row by row is no form. */
function hasFocus(node) {
  const active = document.activeElement
  const isOwn = node.localName === 'form' && node.querySelector('[data-hold]') === null
  const isIn = node === active || (isOwn && node.contains(active))
  return isIn && (isField(active) || active.matches('a, button, summary'))
}

// What was kept for the focus is updated when the focus leaves.
document.addEventListener('focusout', () => {
  if (!hasKept) return
  hasKept = false
  document.body.dataset.version = ''
  scheduleUpdate()
})

function beforeNodeMorphed(node, next) {
  if (hasFocus(node)) hasKept = true
  if (hasFocus(node) || isField(node) || isFormKey(node)) return false
  if (['news', 'stale', 'unanswered', 'flash'].includes(node.id)) return false
  const version = node.dataset?.version
  if (version !== undefined && version !== next.dataset?.version) next.classList.add('changed')
  return true
}

function beforeNodeRemoved(node) {
  return (
    node.id !== 'flash' &&
    !(isField(document.activeElement) && node.contains(document.activeElement))
  )
}

function beforeAttributeUpdated(name, node) {
  return name !== 'open' || node.localName !== 'details'
}

const streamEvents = { open: showFresh, message: scheduleUpdate, error: showStale }

function connectWorker() {
  const shared = new SharedWorker(document.body.dataset.stream)
  shared.addEventListener('error', stopWorker)
  worker = shared.port
  worker.addEventListener('message', ({ data }) => {
    hasWorkerAnswered = true
    streamEvents[data]?.()
  })
  worker.start()
}

function stopWorker() {
  worker.postMessage('leave')
  worker.close()
  worker = undefined
  if (hasJoined) openStream()
}

function showStale() {
  if (poll !== undefined) return
  poll = setInterval(() => {
    // The browser opens a stream again after a lost connection, but not after a reply of a proxy.
    if (hasJoined && stream?.readyState !== EventSource.CONNECTING) openStream()
    scheduleUpdate()
  }, pollInterval)
  document.querySelector('#stale-since').textContent = new Date().toTimeString().slice(0, 5)
  document.querySelector('#stale').hidden = false
}

function showFresh() {
  clearTimeout(opening)
  clearInterval(poll)
  poll = undefined
  document.querySelector('#stale').hidden = true
  // The page is up to date when its first stream opens, which reports changes since its mark.
  if (hasOpened) scheduleUpdate()
  hasOpened = true
}

function updateStream() {
  const isNeeded = !document.hidden
  if (isNeeded === hasJoined) return
  hasJoined = isNeeded
  if (isNeeded) return openStream()
  clearTimeout(opening)
  worker?.postMessage('leave')
  stream?.close()
}

function openStream() {
  clearTimeout(opening)
  const isSilent = () => worker !== undefined && !hasWorkerAnswered
  opening = setTimeout(() => (isSilent() ? stopWorker() : showStale()), maxOpenTime)
  const { mark } = document.body.dataset
  if (worker !== undefined) return worker.postMessage({ mark, requestedAt })
  stream = new EventSource(`${liveAddress}?since=${mark}`)
  for (const [name, handle] of Object.entries(streamEvents)) stream.addEventListener(name, handle)
}

if (typeof SharedWorker !== 'undefined') connectWorker()
document.addEventListener('visibilitychange', updateStream)
updateStream()
