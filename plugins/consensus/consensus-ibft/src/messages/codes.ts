/** The message codes of `IBF/1`. */
export const codes = { proposal: 0, prepare: 1, commit: 2, roundChange: 3 } as const;

/** How many codes the protocol has. */
export const MESSAGE_SPACE = 4;
