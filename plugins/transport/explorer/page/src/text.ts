/** Longer texts from the chain are cut. */
const MAX_TEXT = 4000;

/**
 * Characters that change how others are shown, or are not shown at all: control characters, those
 * that set the direction of text, invisible ones, and halves of characters.
 */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Zl}\p{Zp}]/gu;

/** More marks on one letter than any language has. */
const STACKED = /(\p{M}{4})\p{M}+/gu;

/** Text as it may be shown: hidden characters are escaped, and long texts are cut. */
export function visible(text: string, maxLength = MAX_TEXT): string {
  const cut = text.length > maxLength ? text.slice(0, maxLength) : text;
  const escaped = cut
    .replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(STACKED, "$1…");
  return cut === text ? escaped : `${escaped}… (${text.length} characters in all)`;
}

/** `0x1234…cdef`. */
export function shorten(hex: string, head = 6, tail = 4): string {
  return hex.length <= head + tail + 3 ? hex : `${hex.slice(0, head)}…${hex.slice(-tail)}`;
}
