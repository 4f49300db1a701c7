declare module 'proxy-addr' {
  /** Throws TypeError for what is neither an address, a range nor a name of ranges. */
  export function compile(addresses: readonly string[]): (address: string, hop: number) => boolean
}
