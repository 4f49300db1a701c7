// Sends forms, so that a page stays until the relay has answered: the browser would replace it, and
// all input, by its own error page. Without an answer the page says so. Another click has no second
// effect, also after a restart: the form has the same key.
//
// A script cannot read where a redirect leads, so the relay names the next page in another reply.
// After any other reply the browser sends the form again and shows it.

/** Milliseconds; a table of 4 MiB takes long on a slow line. */
const patience = 120_000
/** Replies of a relay whose store is away, and of a proxy whose relay does not answer. */
const unansweredCodes = [502, 503, 504]
let isSending = false
let isByBrowser = false

/** The input as the browser sends it. */
function encode(form, button) {
  const input = new FormData(form, button)
  if (form.getAttribute('enctype') === 'multipart/form-data') return input
  const fields = [...input].map(([name, value]) => [name, value.replace(/\r\n?|\n/g, '\r\n')])
  return new URLSearchParams(fields)
}

async function post(form, button) {
  const headers = { Prefer: 'return=minimal' }
  const signal = AbortSignal.timeout(patience)
  const body = encode(form, button)
  const options = { method: 'POST', headers, body, redirect: 'manual', signal }
  return await fetch(form.getAttribute('action'), options).catch(() => undefined)
}

function sendByBrowser(form, button) {
  isByBrowser = true
  try {
    // A field of the form may have the name of its method.
    HTMLFormElement.prototype.requestSubmit.call(form, button)
  } finally {
    isByBrowser = false
  }
}

async function send(form, button) {
  const reply = await post(form, button)
  const isAnswered = reply !== undefined && !unansweredCodes.includes(reply.status)
  document.querySelector('#unanswered').hidden = isAnswered
  if (reply?.status === 204) return location.assign(reply.headers.get('Location'))
  form.removeAttribute('aria-busy')
  isSending = false
  if (isAnswered) sendByBrowser(form, button)
}

document.addEventListener('submit', event => {
  const { target: form, submitter } = event
  if (isByBrowser || event.defaultPrevented || form.getAttribute('method') !== 'post') return
  event.preventDefault()
  if (isSending) return
  isSending = true
  form.setAttribute('aria-busy', 'true')
  void send(form, submitter?.form === form ? submitter : null)
})

// The browser shows the page of an earlier form again as it was.
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  isSending = false
  document.querySelector('form[aria-busy]')?.removeAttribute('aria-busy')
})
