// The script of every page; pages also work without it.
// 1. It converts times from UTC to the browser's time zone.
// 2. It reloads live sections (`data-live`) after events of the account's event stream, `/live`.
// 3. It selects the browser's time zone in forms, and stores its offset in a cookie for the server.
// 4. It copies secrets to the clipboard.
//
// `charts.js` draws the charts of the overview, and `dashboard.css` styles all pages. The build
// copies these files, and those that `packages.json` names, to dist/public.
const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

function convertTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]:not([title])')) {
    time.title = time.textContent
    time.textContent = dateFormat.format(new Date(time.dateTime))
  }
}

document.addEventListener('htmx:load', event => convertTimes(event.detail.elt))
convertTimes(document)

const minReloadInterval = 1000
let stream
let timer

function scheduleReload() {
  if (timer !== undefined) return
  timer = setTimeout(() => {
    timer = undefined
    window.htmx.trigger(document.body, 'live')
  }, minReloadInterval)
}

function updateStream() {
  const isNeeded = document.querySelector('[data-live]') !== null && !document.hidden
  if (isNeeded === (stream !== undefined)) return
  if (!isNeeded) {
    stream.close()
    stream = undefined
    return
  }
  stream = new EventSource('/live')
  const names = document.body.dataset.events.split(' ')
  for (const name of names) stream.addEventListener(name, scheduleReload)
  // Events may have happened while the stream was closed.
  stream.addEventListener('open', scheduleReload)
}

document.addEventListener('visibilitychange', updateStream)
updateStream()

const zone = document.querySelector('select[data-detect-zone]')
if (zone !== null) zone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone
if (zone !== null && zone.value === '') zone.value = 'UTC'

const offset = -new Date().getTimezoneOffset()
// biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store.
document.cookie = `smsrelay_utc_offset=${offset}; path=/; max-age=31536000; samesite=lax`

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
      button.textContent = 'Selected; copy it with the keyboard'
    }
  })
}
