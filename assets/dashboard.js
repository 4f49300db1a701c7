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
