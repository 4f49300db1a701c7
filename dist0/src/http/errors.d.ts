import type { NextFunction, Request, Response } from 'express';
/** Told of an error that nobody foresaw. */
export type ReportDefect = (error: unknown) => void;
/** The last layer: every error becomes a status and `{error, error_description}` (RFC 6749 section 5.2). */
export declare function errorResponder(report: ReportDefect): (error: unknown, _request: Request, response: Response, next: NextFunction) => void;
