/** Formats a number of things, such as `2 parts`. */
export function pluralize(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`
}

/** Formats a whole number for people, such as `12,480`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en')
}
