// The script of every page; pages also work without it.
// 1. It stores the browser's time zone in a cookie for the server, and selects it in forms.
// 2. It keeps relative times true while a page is open.
// 3. It shows the length of a text while somebody types it (`data-length`).
// 4. It copies secrets and commands to the clipboard.
//
// The build copies the files of this folder, and those that `packages.json` names, to dist/public.
/** Address of the overview: the relay may be below a path. */
const base = new URL('../../', document.currentScript.src)
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
// biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store.
document.cookie = `smsrelay_zone=${timeZone}; path=${base.pathname}; max-age=31536000; samesite=lax`
const zoneField = document.querySelector('select[data-detect-zone]')
if (zoneField !== null) zoneField.value = timeZone
if (zoneField !== null && zoneField.value === '') zoneField.value = 'UTC'

const clockInterval = 10_000

function formatLength(seconds) {
  if (seconds < 60) return `${Math.floor(seconds)} s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
}

function updateTimes() {
  for (const time of document.querySelectorAll('time[data-near]')) {
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000
    const length = formatLength(Math.abs(seconds))
    time.textContent = seconds > 0 ? `in ${length}` : `${length} ago`
  }
}

setInterval(updateTimes, clockInterval)

const typingDelay = 200

for (const field of document.querySelectorAll('[data-length]')) {
  let delay
  let last
  const showLength = async () => {
    last?.abort()
    last = new AbortController()
    const body = new URLSearchParams({ message: field.value })
    const headers = { 'X-CSRF-Token': document.body.dataset.csrf }
    const options = { method: 'POST', body, headers, signal: last.signal }
    const reply = await fetch(`${base}send/length`, options).catch(() => undefined)
    if (reply?.ok && !reply.redirected)
      window.Idiomorph.morph(document.getElementById(field.dataset.length), await reply.text())
  }
  field.addEventListener('input', () => {
    clearTimeout(delay)
    delay = setTimeout(showLength, typingDelay)
  })
}

function showCopyButtons() {
  if (navigator.clipboard === undefined) return
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false
}

document.addEventListener('click', async event => {
  const button = event.target.closest('[data-copy]')
  if (button === null) return
  const text = document.getElementById(button.dataset.copy)
  try {
    await navigator.clipboard.writeText(text.textContent.trim())
    button.textContent = 'Copied'
  } catch {
    window.getSelection().selectAllChildren(text)
    button.textContent = 'Selected; copy it with the keyboard'
  }
})

showCopyButtons()
