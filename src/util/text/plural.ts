/** A number of things in words, such as `2 parts`; `thing` is one of them. */
export function pluralize(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`
}
