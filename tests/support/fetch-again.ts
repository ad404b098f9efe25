/** For `route.fetch`: the server may close an idle connection just as it is used again. */
export const AGAIN = { maxRetries: 2 } as const;
