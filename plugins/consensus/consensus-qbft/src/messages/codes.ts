/** The message codes of `istanbul/100`; those below are reserved. */
export const codes = { proposal: 0x12, prepare: 0x13, commit: 0x14, roundChange: 0x15 } as const;

/** How many codes the protocol has. */
export const MESSAGE_SPACE = 0x16;
