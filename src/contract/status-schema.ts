import * as z from 'zod/mini'

const problemFields = z.lazy(() =>
  z.object({
    /** Such as `store_damaged`. */
    code: z.string(),
    message: z.string(),
    hint: z.string(),
  }),
)

export const statusReply = z.lazy(() =>
  z.object({
    status: z.object({ problems: z.array(problemFields) }),
  }),
)

export type StatusFields = z.infer<typeof statusReply>['status']
export type StatusReply = z.infer<typeof statusReply>
