// What pages do beyond their HTML: times in the reader's time zone, and a nudge when something happened. They work
// without it.
const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

function localTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]:not([title])')) {
    time.title = time.textContent
    time.textContent = shown.format(new Date(time.dateTime))
  }
}

document.addEventListener('htmx:load', event => localTimes(event.detail.elt))
localTimes(document)

// What is marked data-live asks for itself again when the account's event stream says that something happened.
const most = 1000
let stream
let timer

function nudge() {
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    window.htmx.trigger(document.body, 'live')
  }, most)
}

function listen() {
  const wanted = document.querySelector('[data-live]') !== null && !document.hidden
  if (wanted === (stream !== undefined)) return
  if (!wanted) {
    stream.close()
    stream = undefined
    return
  }
  stream = new EventSource('/live')
  for (const name of document.body.dataset.events.split(' ')) stream.addEventListener(name, nudge)
  // Something may have happened while nobody listened.
  stream.addEventListener('open', nudge)
}

document.addEventListener('visibilitychange', listen)
listen()

// Times to send at are typed in the zone of whoever types them.
const zone = document.querySelector('select[data-detect-zone]')
if (zone !== null) zone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone
if (zone !== null && zone.value === '') zone.value = 'UTC'

// Days begin when they do where the reader is.
const offset = -new Date().getTimezoneOffset()
// biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store.
document.cookie = `smsrelay_utc_offset=${offset}; path=/; max-age=31536000; samesite=lax`

// Secrets are copied where the browser lets pages do that.
for (const button of document.querySelectorAll('[data-copy]')) {
  if (navigator.clipboard === undefined) break
  button.hidden = false
  button.addEventListener('click', async () => {
    const secret = document.getElementById(button.dataset.copy)
    try {
      await navigator.clipboard.writeText(secret.textContent.trim())
      button.textContent = 'Copied'
    } catch {
      window.getSelection().selectAllChildren(secret)
      button.textContent = 'Selected: copy it by keyboard'
    }
  })
}
