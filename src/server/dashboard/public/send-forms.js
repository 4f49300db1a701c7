// Sends a form once, and only while the relay answers: the browser would replace the page, and all
// input, by its own error page. Without an answer the page stays and says so.

/** Milliseconds for which the relay may think about whether it is ready. */
const patience = 30_000
/** Replies of a relay whose store is away, and of a proxy whose relay does not answer. */
const unansweredCodes = [502, 503, 504]
/** The relay may be below a path of its address; this file is at `assets/VERSION/NAME` there. */
const readyAddress = new URL('../../readyz', document.currentScript.src)
let isSending = false
let isByBrowser = false

async function isAnswering() {
  const options = { cache: 'no-store', signal: AbortSignal.timeout(patience) }
  const reply = await fetch(readyAddress, options).catch(() => undefined)
  return reply !== undefined && !unansweredCodes.includes(reply.status)
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
  const isAnswered = await isAnswering()
  document.querySelector('#unanswered').hidden = isAnswered
  if (isAnswered) return sendByBrowser(form, button)
  isSending = false
  form.removeAttribute('aria-busy')
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
