/** Collects what a head says about where its message ends (RFC 9112 section 6). */
export class Framing {
  length: number | undefined
  chunked = false
  upgrade = false

  reset(): void {
    this.length = undefined
    this.chunked = false
    this.upgrade = false
  }

  /** Takes in the header line from `at` to `end`; false when it leaves room for a second opinion. */
  take(data: Buffer, at: number, colon: number, end: number): boolean {
    if (!mayFrame(colon - at)) return true
    const value = data.toString('latin1', colon + 1, end - 2)
    switch (data.toString('latin1', at, colon).toLowerCase()) {
      case 'content-length':
        return this.#takeLength(value)
      case 'transfer-encoding':
        return this.#takeEncoding(value)
      case 'upgrade':
        this.upgrade = true
    }
    return true
  }

  #takeLength(value: string): boolean {
    if (this.chunked || this.length !== undefined) return false
    if (!/^ *\d{1,15} *$/.test(value)) return false
    this.length = Number(value)
    return true
  }

  #takeEncoding(value: string): boolean {
    if (this.chunked || this.length !== undefined) return false
    this.chunked = /^ *chunked$/i.test(value)
    return this.chunked
  }
}

function mayFrame(nameLength: number): boolean {
  return nameLength === 7 || nameLength === 14 || nameLength === 17
}
