// Asks whether the relay answers before a form is sent: when it is down, the browser would replace
// the page, and all input, by its own error page. The page stays and says so instead. Another click
// has no second effect, also after a restart: the form has the same key.
const patience = 10_000
/** Replies of a proxy in front of a relay that does not answer. */
const proxyErrors = [502, 503, 504]
let isAsking = false
let isAnswered = false

async function hasAnswer() {
  const signal = AbortSignal.timeout(patience)
  const options = { method: 'HEAD', cache: 'no-store', signal }
  const reply = await fetch('/healthz', options).catch(() => undefined)
  return reply !== undefined && !proxyErrors.includes(reply.status)
}

function send(form, button) {
  isAnswered = true
  try {
    // A field of the form may have the name of its method.
    HTMLFormElement.prototype.requestSubmit.call(form, button?.form === form ? button : null)
  } finally {
    isAnswered = false
  }
}

document.addEventListener('submit', async event => {
  const { target: form, submitter } = event
  if (isAnswered || event.defaultPrevented || form.getAttribute('method') !== 'post') return
  event.preventDefault()
  if (isAsking) return
  isAsking = true
  const notice = document.querySelector('#unanswered')
  notice.hidden = await hasAnswer()
  isAsking = false
  if (notice.hidden) send(form, submitter)
})
