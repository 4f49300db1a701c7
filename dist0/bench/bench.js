/** Keep-alive connections of every load. */
export const connections = 32;
/** One for each connection. */
export function forEachConnection(make) {
    return Array.from({ length: connections }, (_, number) => make(number));
}
