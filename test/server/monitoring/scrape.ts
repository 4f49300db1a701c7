/** Fetches metrics and returns each value by its name with labels, without the prefix. */
export async function scrape(url: string): Promise<Map<string, number>> {
  const text = await (await fetch(url)).text()
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at).replace(/^smsrelay_/, ''), Number(line.slice(at + 1))]
    }),
  )
}
