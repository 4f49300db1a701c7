/** Where the page of a message is. */
export function messagePath(id: string): string {
  return `/messages/${encodeURIComponent(id)}`
}
