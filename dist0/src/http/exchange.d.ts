import type { Request, Response } from 'express';
import type { Caller } from '../services/tokens.js';
/** What a route answers: a value that becomes the JSON body. */
export type Handler = (exchange: Exchange) => Promise<unknown>;
/** One request with what the layers before the route found out about it. */
export interface Exchange {
    readonly request: Request;
    readonly response: Response;
    /** Who asks. */
    readonly caller: Caller;
    /** Base address for links. */
    readonly base: string;
}
/** Sends a JSON body with its length. */
export declare function sendJson(response: Response, status: number, value: unknown): void;
/** The value of a path parameter. */
export declare function param(request: Request, name: string): string;
