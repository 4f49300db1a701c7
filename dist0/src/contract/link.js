import { z } from 'zod';
/** An operation that is available on a resource (SPEC.md section 2.1). */
export const link = z.object({ method: z.string(), url: z.string() });
/** The operations of a resource by name; a reply may have none. */
export const links = z.record(z.string(), link);
