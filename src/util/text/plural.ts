/** Formats a number of things, such as `2 parts`. */
export function pluralize(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`
}

/** Formats a whole number for people, such as `12,480`. */
export function formatCount(count: number): string {
  // The number formats of ICU take 20 ms to load.
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

export function formatLimitedCount(count: number, most: number): string {
  return count > most ? `${formatCount(Math.floor(count / 100) * 100)}+` : formatCount(count)
}
