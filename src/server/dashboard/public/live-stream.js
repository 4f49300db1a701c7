// The event stream of all live pages of a browser, as a shared worker. With HTTP/1.1 a browser has
// six connections to a host: the streams of six windows would block every other request.
//
// A page joins with its mark and the time when it was requested, and leaves when it is hidden. The
// worker tells it at once whether the stream is `connecting`, `open` or in `error`, and then every
// change of this and `message` (something changed). When the session ends, so does the stream; it
// is opened again with the cookie of the next session.
const pages = new Set()
let stream
/** What the pages were last told of the connection. */
let state
/** Milliseconds since the epoch. */
let lastChange = 0

function tell(event) {
  for (const page of pages) page.postMessage(event)
}

function setState(next) {
  state = next
  tell(next)
}

function openStream(mark) {
  setState('connecting')
  stream = new EventSource(`../../live?since=${mark}`)
  stream.addEventListener('open', () => setState('open'))
  stream.addEventListener('error', () => setState('error'))
  stream.addEventListener('message', () => {
    lastChange = Date.now()
    tell('message')
  })
}

function join(page, { mark, requestedAt }) {
  pages.add(page)
  if (stream === undefined || stream.readyState === EventSource.CLOSED) return openStream(mark)
  page.postMessage(state)
  if (lastChange >= requestedAt) page.postMessage('message')
}

function leave(page) {
  pages.delete(page)
  if (pages.size > 0) return
  stream?.close()
  stream = undefined
}

self.addEventListener('connect', ({ ports: [page] }) => {
  page.addEventListener('message', ({ data }) => {
    if (data === 'leave') leave(page)
    else join(page, data)
  })
  page.start()
})
