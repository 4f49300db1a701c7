// Draws each element with `data-chart` from the table that the attribute names: bars for sent and
// failed messages, side by side. The server adds the reader's offset to the times, so they are
// formatted as if they were UTC.
const plots = new Map()
const height = 220

function readFigures(section) {
  const rows = [...document.querySelectorAll(`#${section.dataset.chart} tbody tr`)].reverse()
  // One bar is on the left of the middle of a span, the other on its right.
  const half = Number(section.dataset.step) / 2
  const times = rows.map(row => Number(row.querySelector('[data-from]').dataset.from) + half)
  const column = at => rows.map(row => Number(row.cells[at].textContent))
  return [times, column(1), column(2)]
}

function getColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

function createAxis(options) {
  const stroke = getColour('--chart-text')
  const lines = { stroke: getColour('--chart-grid'), width: 1 }
  return { stroke, grid: lines, ticks: lines, font: '12px system-ui, sans-serif', ...options }
}

function createBars(label, name, align) {
  const fill = getColour(name)
  const paths = window.uPlot.paths.bars({ size: [0.42, 40], align, gap: 0 })
  return { label, fill, stroke: fill, width: 0, paths, points: { show: false } }
}

function createOptions(section, width) {
  const step = Number(section.dataset.step)
  const isDaily = step === 86400
  const formatLegend = window.uPlot.fmtDate(
    isDaily ? '{YYYY}-{MM}-{DD}' : '{YYYY}-{MM}-{DD} {HH}:{mm}',
  )
  const increments = (isDaily ? [1, 2, 7, 14, 30] : [1, 3, 6, 12, 24]).map(count => count * step)
  const label = isDaily ? '{MM}-{DD}' : '{HH}:{mm}'
  const formatDay = window.uPlot.fmtDate('{MM}-{DD}')
  const formatLabel = window.uPlot.fmtDate(label)
  const labels = (_plot, splits) =>
    splits.map((at, index) => {
      const text = formatLabel(toUtc(at))
      const isNewDay = !isDaily && (index === 0 || text === '00:00')
      return isNewDay ? `${text}\n${formatDay(toUtc(at))}` : text
    })
  return {
    width,
    height,
    tzDate: toUtc,
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: true, range: (_plot, from, to) => [from - step / 2, to + step / 2] },
      y: { range: getRange },
    },
    axes: [
      createAxis({ incrs: increments, values: labels, size: isDaily ? 30 : 44 }),
      createAxis({ incrs: wholeNumbers, size: 56 }),
    ],
    series: [
      {
        label: 'From',
        value: (_plot, at) => (at === null ? '–' : formatLegend(toUtc(at - step / 2))),
      },
      createBars('Sent', '--chart-sent', -1),
      createBars('Failed', '--chart-failed', 1),
    ],
  }
}

// Ticks at whole numbers only.
const wholeNumbers = [0, 1, 2, 3, 4, 5, 6, 7].flatMap(power =>
  [1, 2, 5].map(first => first * 10 ** power),
)

function getRange(_plot, _min, max) {
  return [0, Math.max(4, (max ?? 0) * 1.1)]
}

// A date with the fields of UTC as its local fields, which uPlot formats.
function toUtc(seconds) {
  return window.uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC')
}

function drawChart(section) {
  const plot = section.querySelector('.plot')
  plots.get(section)?.destroy()
  section.hidden = false
  plots.set(
    section,
    new window.uPlot(createOptions(section, plot.clientWidth), readFigures(section), plot),
  )
}

function drawAll() {
  for (const section of document.querySelectorAll('[data-chart]')) drawChart(section)
}

const sizes = new ResizeObserver(entries => {
  for (const { target } of entries) {
    const plot = plots.get(target.closest('[data-chart]'))
    if (plot !== undefined && plot.width !== target.clientWidth && target.clientWidth > 0)
      plot.setSize({ width: target.clientWidth, height })
  }
})

if (window.uPlot !== undefined) drawAll()
for (const plot of document.querySelectorAll('[data-chart] .plot')) sizes.observe(plot)
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  if (plots.size > 0) drawAll()
})
document.addEventListener('htmx:load', event => {
  if (event.detail.elt.id !== 'figures') return
  for (const [section, plot] of plots) plot.setData(readFigures(section))
})
