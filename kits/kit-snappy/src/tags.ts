// The raw block format: a length, then literals and copies of earlier output. The low bits of a tag
// distinguish them.
export const LITERAL = 0;
/** Copies with an offset of one byte, and of two; those of four bytes are only decoded. */
export const COPY_1 = 1;
export const COPY_2 = 2;
