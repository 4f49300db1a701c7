/** What a check of a data directory found, as far as it is shown. */
export interface DataReportLike {
    readonly files: readonly {
        readonly file: string;
        readonly lines: number;
    }[];
    readonly damages: readonly {
        readonly file: string;
        readonly line: number;
        readonly kind: 'damaged' | 'torn';
        readonly bytes: number;
    }[];
    readonly records: Readonly<Record<string, number>>;
}
/** A report for people. */
export declare function dataReportView({ files, damages, records }: DataReportLike): string;
