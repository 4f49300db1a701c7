import { type Html, h } from './html.js'

/** The icons by name: a path in a square of 16 units, drawn with a line. */
const icons = {
  back: 'M10 3.25 5.25 8 10 12.75',
  ban: 'M2.25 8a5.75 5.75 0 1 0 11.5 0a5.75 5.75 0 1 0 -11.5 0zM4 4l8 8',
  book:
    'M4.25 2.25h8.5v11.5h-8.5zM2.5 5h3M2.5 8h3M2.5 11h3M7.6 6.25a1.4 1.4 0 1 0 2.8 0' +
    'a1.4 1.4 0 1 0 -2.8 0zM6.9 11c.15-1.5.85-2.2 2.1-2.2s1.95.7 2.1 2.2',
  building: 'M3.25 13.75v-11h6v11M9.25 6.5h3.5v7.25M2 13.75h12M5.25 5.5h2M5.25 8h2M5.25 10.5h2',
  calendar: 'M2.5 3.75h11v9.75h-11zM2.5 7h11M5.5 2v3M10.5 2v3',
  chart: 'M2.25 13.75h11.5M4.25 11V8M8 11V3.5M11.75 11V6',
  check: 'm2.75 8.5 3.5 3.5 7-7.75',
  clock: 'M2.25 8a5.75 5.75 0 1 0 11.5 0a5.75 5.75 0 1 0 -11.5 0zM8 4.75V8l2.25 1.5',
  code: 'M5.25 4.5 1.75 8l3.5 3.5M10.75 4.5l3.5 3.5-3.5 3.5M9.25 3 6.75 13',
  cross: 'm3.75 3.75 8.5 8.5M12.25 3.75l-8.5 8.5',
  down: 'M8 3v9.5M4 8.75l4 4 4-4',
  download: 'M8 2.25v7.5M4.75 6.75 8 10l3.25-3.25M2.75 13.25h10.5',
  edit: 'm10.5 2.75 2.75 2.75L5.5 13.25H2.75V10.5zM8.75 4.5l2.75 2.75',
  filter: 'M2.25 4h11.5M4.5 8h7M6.75 12h2.5',
  flag: 'M3.5 14V2.5M3.5 3h8.75l-2 3 2 3H3.5',
  hook:
    'M2.6 12.5a0.9 0.9 0 1 0 1.8 0a0.9 0.9 0 1 0 -1.8 0zM3 8.25a4.75 4.75 0 0 1 4.75 4.75' +
    'M3 4.25A8.75 8.75 0 0 1 11.75 13',
  in: 'M12.5 3.5 4.25 11.75M4.25 6v5.75H10',
  info: 'M2.25 8a5.75 5.75 0 1 0 11.5 0a5.75 5.75 0 1 0 -11.5 0zM8 7.5v3.25M8 5.25v.1',
  key: 'M2.25 8a2.75 2.75 0 1 0 5.5 0a2.75 2.75 0 1 0 -5.5 0zM7.75 8H14v2.5M11.25 8v2',
  leave: 'M6.5 2.5H3v11h3.5M9.75 5l3 3-3 3M12.5 8H6.25',
  link:
    'M7 9a2.6 2.6 0 0 0 3.7 0l2.2-2.2a2.6 2.6 0 0 0-3.7-3.7L8.25 4M9 7a2.6 2.6 0 0 0-3.7 0' +
    'L3.1 9.2a2.6 2.6 0 0 0 3.7 3.7l.95-.9',
  lock:
    'M4.5 7h7a1.25 1.25 0 0 1 1.25 1.25v4.25a1.25 1.25 0 0 1 -1.25 1.25h-7' +
    'a1.25 1.25 0 0 1 -1.25 -1.25v-4.25a1.25 1.25 0 0 1 1.25 -1.25zM5.5 7V5' +
    'a2.5 2.5 0 0 1 5 0v2',
  log: 'M5.75 4h7.75M5.75 8h7.75M5.75 12h7.75M2.75 4v.1M2.75 8v.1M2.75 12v.1',
  mail:
    'M3.25 3.5h9.5a1.25 1.25 0 0 1 1.25 1.25v6.75a1.25 1.25 0 0 1 -1.25 1.25h-9.5' +
    'a1.25 1.25 0 0 1 -1.25 -1.25v-6.75a1.25 1.25 0 0 1 1.25 -1.25zM2.5 4.75l5.5 4 5.5-4',
  menu: 'M2.5 4.25h11M2.5 8h11M2.5 11.75h11',
  messages:
    'M3.5 2.75h9A1.25 1.25 0 0 1 13.75 4v6a1.25 1.25 0 0 1-1.25 1.25H7.25L4.25 13.75v-2.5' +
    'H3.5A1.25 1.25 0 0 1 2.25 10V4A1.25 1.25 0 0 1 3.5 2.75zM5.25 5.75h5.5M5.25 8.25h3.5',
  minus: 'M3 8h10',
  out: 'M3.5 12.5 11.75 4.25M6 4.25h5.75V10',
  overview: 'M2.5 2.5H7v6H2.5zM9 2.5h4.5V6H9zM9 8h4.5v5.5H9zM2.5 10.5H7v3H2.5z',
  page: 'M3.25 2.25h9.5v11.5h-9.5zM5.75 5.5h4.5M5.75 8h4.5M5.75 10.5h2.25',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  people:
    'M3.65 5.25a2.35 2.35 0 1 0 4.7 0a2.35 2.35 0 1 0 -4.7 0zM1.75 13' +
    'c.3-2.7 1.95-4.1 4.25-4.1s3.95 1.4 4.25 4.1M10.5 3.1a2.35 2.35 0 0 1 0 4.3M12 9.35' +
    'c1.25.6 2.05 1.85 2.25 3.65',
  phone:
    'M5.75 1.75h4.5a1.5 1.5 0 0 1 1.5 1.5v9.5a1.5 1.5 0 0 1 -1.5 1.5h-4.5' +
    'a1.5 1.5 0 0 1 -1.5 -1.5v-9.5a1.5 1.5 0 0 1 1.5 -1.5zM7.25 11.75h1.5',
  play: 'M4.75 2.75 12.5 8l-7.75 5.25z',
  plus: 'M8 3v10M3 8h10',
  retry: 'M13.25 8A5.25 5.25 0 1 1 11.7 4.3L13.25 5.75M13.25 2.5v3.25H10',
  search: 'M2.5 7a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0zM10.5 10.5l3 3',
  send: 'M2 7.5 14 2.25l-4 11.5-2.75-5.25zM7.25 8.5 10.25 5.75',
  server: 'M2.5 3h11v4.25h-11zM2.5 8.75h11V13h-11zM5 5.1v.1M5 10.85v.1',
  shield: 'M8 2l5 1.75V8c0 3-2 5-5 6-3-1-5-3-5-6V3.75z',
  sliders:
    'M2.25 5h5.25M11 5h2.75M2.25 11H5M8.5 11h5.25M7.65 5a1.6 1.6 0 1 0 3.2 0' +
    'a1.6 1.6 0 1 0 -3.2 0zM5.15 11a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0z',
  table: 'M2.25 3.25h11.5v9.5H2.25zM2.25 6.5h11.5M6.5 6.5v6.25',
  talk: 'M2 2.75h7.5V8H5.25L3.25 9.75V8H2zM11.75 5.5H14v5.25h-1.25v1.75l-2-1.75H6.75',
  test: 'M9.25 1.75 3.5 9.25h4L6.75 14.25 12.5 6.75h-4z',
  warn: 'M8 2.25 14.25 13.25H1.75zM8 6.5v3M8 11.4v.1',
} as const

export type IconName = keyof typeof icons

/** The icons of a page that its markup refers to with {@link Icon}. */
export function IconSprite({ markup }: { readonly markup: Html }): Html {
  const names = new Set(
    Array.from(markup.toString().matchAll(/<use href="#i-(\w+)"/g), at => at[1]),
  )
  return (
    <svg class="sprite" aria-hidden="true">
      {Object.entries(icons)
        .filter(([name]) => names.has(name))
        .map(([name, d]) => (
          <symbol id={`i-${name}`} viewBox="0 0 16 16">
            <path d={d} />
          </symbol>
        ))}
    </svg>
  )
}

/** An icon next to a word that says the same. */
export function Icon({ name, tone = '' }: { readonly name: IconName; tone?: string }): Html {
  return (
    <svg class={tone === '' ? 'icon' : `icon ${tone}`} aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}
