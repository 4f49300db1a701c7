// Draws what is marked data-chart from the table it names: bars for sent and failed, side by side. Times are those of
// the clock the server counted by, so they are read as if they were UTC.
const plots = new Map()
const height = 220

function figuresOf(section) {
  const rows = [...document.querySelectorAll(`#${section.dataset.chart} tbody tr`)].reverse()
  // The two bars of a span are left and right of its middle.
  const half = Number(section.dataset.step) / 2
  const times = rows.map(row => Number(row.querySelector('[data-from]').dataset.from) + half)
  const column = at => rows.map(row => Number(row.cells[at].textContent))
  return [times, column(1), column(2)]
}

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

function axis(more) {
  const stroke = colour('--chart-text')
  const lines = { stroke: colour('--chart-grid'), width: 1 }
  return { stroke, grid: lines, ticks: lines, font: '12px system-ui, sans-serif', ...more }
}

function bars(label, name, align) {
  const fill = colour(name)
  const paths = window.uPlot.paths.bars({ size: [0.42, 40], align, gap: 0 })
  return { label, fill, stroke: fill, width: 0, paths, points: { show: false } }
}

function atClock(seconds) {
  return new Date(seconds * 1000)
}

function optionsOf(section, width) {
  const step = Number(section.dataset.step)
  const isDaily = step === 86400
  const stamp = isDaily ? '{YYYY}-{MM}-{DD}' : '{YYYY}-{MM}-{DD} {HH}:{mm}'
  const steps = isDaily ? [1, 2, 7, 14, 30] : [1, 3, 6, 12, 24]
  const mark = isDaily ? '{MM}-{DD}' : '{HH}:{mm}'
  const day = window.uPlot.fmtDate('{MM}-{DD}')
  const short = window.uPlot.fmtDate(mark)
  const labels = (_plot, splits) =>
    splits.map((at, index) => {
      const text = short(utc(at))
      return !isDaily && (index === 0 || text === '00:00') ? `${text}\n${day(utc(at))}` : text
    })
  return {
    width,
    height,
    tzDate: utc,
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: true, range: (_plot, from, to) => [from - step / 2, to + step / 2] },
      y: { range: upTo },
    },
    axes: [
      axis({ incrs: steps.map(count => count * step), values: labels, size: isDaily ? 30 : 44 }),
      axis({ incrs: whole, size: 56 }),
    ],
    series: [
      {
        label: 'From',
        value: (_plot, at) => (at === null ? '–' : window.uPlot.fmtDate(stamp)(utc(at - step / 2))),
      },
      bars('Sent', '--chart-sent', -1),
      bars('Failed', '--chart-failed', 1),
    ],
  }
}

// Whole numbers only: there is no half a text.
const whole = [1, 2, 5].flatMap(first => [0, 1, 2, 3, 4, 5, 6, 7].map(power => first * 10 ** power))
whole.sort((a, b) => a - b)

function upTo(_plot, _least, most) {
  return [0, Math.max(4, (most ?? 0) * 1.1)]
}

// A date whose local fields are those of UTC: uPlot formats by local fields.
function utc(seconds) {
  return window.uPlot.tzDate(atClock(seconds), 'Etc/UTC')
}

function draw(section) {
  const place = section.querySelector('.plot')
  plots.get(section)?.destroy()
  section.hidden = false
  plots.set(
    section,
    new window.uPlot(optionsOf(section, place.clientWidth), figuresOf(section), place),
  )
}

function drawAll() {
  for (const section of document.querySelectorAll('[data-chart]')) draw(section)
}

const sizes = new ResizeObserver(entries => {
  for (const { target } of entries) {
    const plot = plots.get(target.closest('[data-chart]'))
    if (plot !== undefined && plot.width !== target.clientWidth && target.clientWidth > 0)
      plot.setSize({ width: target.clientWidth, height })
  }
})

if (window.uPlot !== undefined) drawAll()
for (const place of document.querySelectorAll('[data-chart] .plot')) sizes.observe(place)
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  if (plots.size > 0) drawAll()
})
document.addEventListener('htmx:load', event => {
  if (event.detail.elt.id !== 'figures') return
  for (const [section, plot] of plots) plot.setData(figuresOf(section))
})
