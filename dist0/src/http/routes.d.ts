import type { Express, Request, Response } from 'express';
import { type Handler } from './exchange.js';
/** The methods of each path under `/api/1`. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler>>>>;
/** A route that needs no token. */
export type OpenHandler = (request: Request, response: Response) => Promise<unknown>;
/** The methods of each path outside `/api/1`. */
export type OpenRoutes = Readonly<Record<string, Readonly<Record<string, OpenHandler>>>>;
/**
 * Adds paths to an app. A path that is there but not for that method is `method_not_allowed` with
 * `Allow` (RFC 9110 section 15.5.6); HEAD is answered as GET.
 */
export declare function addRoutes(app: Express, routes: OpenRoutes): void;
