/**
 * The addresses that one subscriber has at hand: an IPv4 address alone, an IPv6 address with its /64, since whoever
 * has one of those has them all. Another text is given back as it is.
 */
export declare function addressBlock(address: string): string;
/** The address in an entry of X-Forwarded-For, which some proxies give a port; undefined when there is none. */
export declare function forwardedAddress(entry: string): string | undefined;
