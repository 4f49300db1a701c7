/** What a {@link MethodRewriter} must know about the parser that it works for. */
export interface RewriterOptions {
    /** Methods that the parser knows. */
    known: ReadonlySet<string>;
    /** Name of the header that carries the true method; nobody outside may guess it. */
    secret: string;
    /** The longest line to wait for, in bytes. */
    longestLine: number;
}
/**
 * Gives each request of one connection that has an unknown method a known one, and its true one in
 * a secret first header. From the first bytes on whose framing is open to doubt, everything is
 * handed through unread, so that the parser alone decides and nothing can be smuggled past it.
 */
export declare class MethodRewriter {
    #private;
    constructor(options: RewriterOptions);
    /** Returns what the parser gets for `chunk`: the same bytes, fewer, or a rewritten head. */
    feed(chunk: Buffer): Buffer | undefined;
    /** Returns the bytes held back, if any; all later ones are handed through unread. */
    release(): Buffer | undefined;
}
