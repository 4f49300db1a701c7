export { decodeCheckedLine as decodeLine, encodeCheckedLine as encodeLine, } from '../../util/checked-line.js';
/** Version of the format of the files; a higher one is refused. */
export declare const formatVersion = 1;
/** First line of each file. */
export interface Header {
    readonly smsrelay: 'snapshot' | 'journal';
    readonly format: number;
}
/** Last line of a snapshot. */
export interface Trailer {
    /** Number of lines between header and trailer. */
    readonly lines: number;
}
/** Whether bytes go on after a whole line, which only happens when its line feed was overwritten. */
export declare function goesOnAfterLine(bytes: Buffer): boolean;
