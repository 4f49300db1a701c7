/** A function of one text that remembers its results for the last texts, at most `most` of them. */
export declare function memo<T>(most: number, compute: (text: string) => T): (text: string) => T;
