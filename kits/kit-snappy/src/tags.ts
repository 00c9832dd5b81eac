// The raw block format: a length, then literals and copies of what was written before. The low bits of a tag say which.
export const LITERAL = 0;
/** With an offset of one byte, and of two; those of four bytes are only read. */
export const COPY_1 = 1;
export const COPY_2 = 2;
